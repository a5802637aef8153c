// Package staff has versioned roots with parts whose fields follow fields of other roots in every form: by checked references, by references to the
// root itself, and in compositions.
package staff

import "github.com/cassaml/cassaml/aml"

//go:generate go run ../../../codegen/cmd/aml generate

// Team is a target with parts: employees have its name, its tags and its place.
type Team struct {
	aml.Aggregate `aml:"teams,headrow"`

	Site    string   `aml:"site,identifier"`
	Number  int32    `aml:"number,identifier"`
	Name    string   `aml:"name,required"`
	Tags    []string `aml:"tags,max=9"`
	Place   *Place   `aml:"place,composition"`
	Version int64    `aml:"version,version"`
}

// Place is a value in several cells.
type Place struct {
	City string
	Room *int32
}

// Meeting is a part of a team.
type Meeting struct {
	aml.Entity `aml:"teams,part=Team"`

	Site   string `aml:"site,identifier"`
	Number int32  `aml:"number,identifier"`
	Day    int32  `aml:"day,discriminator"`
	Topic  string `aml:"topic"`
}

// Desk is a target that an employee has as a composition.
type Desk struct {
	aml.Aggregate `aml:"desks"`

	ID      string `aml:"id,identifier"`
	Label   string `aml:"label,required"`
	Floor   *int32 `aml:"floor"`
	Version int64  `aml:"version,version"`
}

// Employee has parts. It follows its boss, who is an employee, its teams and its desks.
type Employee struct {
	aml.Aggregate `aml:"employees,headrow"`

	ID         int32    `aml:"id,identifier"`
	Name       string   `aml:"name"`
	Boss       *int32   `aml:"boss,association=Employee,checked,ondelete=clear"`
	BossName   *string  `aml:"boss_name,copy=Employee.Name"`
	Mentor     *int32   `aml:"mentor,association=Employee,rows=100000"`
	MentorName *string  `aml:"mentor_name,copy=Employee.Name"`
	TeamSite   *string  `aml:"team_site,association=Team.Site,checked"`
	Team       *int32   `aml:"team,association=Team.Number,checked"`
	TeamName   *string  `aml:"team_name,copy=Team.Name"`
	TeamTags   []string `aml:"team_tags,max=9,copy=Team.Tags"`
	TeamPlace  *Place   `aml:"team_place,composition,copy=Team.Place"`
	Desk       *Seat    `aml:"desk,composition,copy=Desk"`
	Second     *Seat    `aml:"second,composition,final,copy=Desk"`
	Spare      *Spare   `aml:"spare,composition,copy=Desk"`
	Version    int64    `aml:"version,version"`
}

// Spare is a desk in an employee, or none.
type Spare struct {
	ID    *string
	Label *string
}

// Seat is a desk in an employee.
type Seat struct {
	ID    string
	Label string `aml:"label,required"`
	Floor *int32
}

// Absence is a part of an employee.
type Absence struct {
	aml.Entity `aml:"employees,part=Employee"`

	ID  int32  `aml:"id,identifier"`
	Day int32  `aml:"day,discriminator"`
	Why string `aml:"why"`
}

// Badge is deleted with its employee.
type Badge struct {
	aml.Aggregate `aml:"badges"`

	ID        int32  `aml:"id,identifier"`
	Owner     int32  `aml:"owner,association=Employee,checked,ondelete=cascade"`
	OwnerName string `aml:"owner_name,copy=Employee.Name"`
	Version   int64  `aml:"version,version"`
}

// EmployeeByDesk is a copy of an employee, which moves with the label of the desk.
type EmployeeByDesk struct {
	aml.Aggregate `aml:"employees_by_desk,redundant=Employee,when=Employee.Desk"`

	Label    string  `aml:"label,identifier,from=Employee.Desk.Label"`
	ID       int32   `aml:"id,discriminator"`
	BossName *string `aml:"boss_name"`
}
