// Package names has keys whose fields have the names of parameters of the generated methods, and a struct with the name of a generated function.
package names

import "github.com/cassaml/cassaml/aml"

// Release is a release of a product. Its key has the names of parameters.
type Release struct {
	aml.Aggregate `aml:"releases"`

	Known   int32  `aml:",identifier"`
	Version int32  `aml:",discriminator"`
	Config  int32  `aml:",discriminator"`
	Name    string `aml:",unique"`
	At      int64  `aml:",version"`
}

// Track is found by its first letter. Its Delete calls the method that reads only the key.
type Track struct {
	aml.Aggregate `aml:"tracks"`

	ID    string `aml:"id,identifier"`
	Title string `aml:"title"`
}

// Letter reads only the key.
func (t Track) Letter() string { return t.ID[:1] }

// Short reads another field.
func (t Track) Short() string { return t.Title[:1] }

// TrackByLetter has a key that follows from the key of a track.
type TrackByLetter struct {
	aml.Aggregate `aml:"tracks_by_letter,redundant=Track"`

	Letter string `aml:"letter,identifier,from=Track.Letter()"`
	ID     string `aml:"id,discriminator"`
	Short  string `aml:"short,from=Track.Short()"`
}

// KeyTrack has a method, whose function has the name of the function for keys of Track.
type KeyTrack struct {
	aml.Aggregate `aml:"key_tracks"`

	ID    string `aml:"id,identifier"`
	Title string `aml:"title"`
}

// Short reads a field.
func (t KeyTrack) Short() string { return t.Title[:1] }

// KeyTrackByShort is a copy of a key track.
type KeyTrackByShort struct {
	aml.Aggregate `aml:"key_tracks_by_short,redundant=KeyTrack"`

	Short string `aml:"short,identifier,from=KeyTrack.Short()"`
	ID    string `aml:"id,discriminator"`
}
