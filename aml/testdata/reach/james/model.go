// Package james is the Cassandra storage of the Apache James mail server as AML: mailboxes, the messages in them, address
// rewriting, and the vault of deleted messages.
//
// The tables are those of apache/james-project, commit 20bf8083e39be4a750f606e576a162087bb3f18a: the classes
// Cassandra{Mailbox,Message,FirstUnseen,DeletedMessage,MailboxRecents,MailboxCounter,ApplicableFlags,Acl,Annotation,Attachment,Subscription,Thread,Uid,ModSeq}DataDefinition.java
// in mailbox/cassandra, CassandraRRTDataDefinition.java in server/data/data-cassandra,
// CassandraEmailQueryViewDataDefinition.java in server/data/data-jmap-cassandra and
// DeletedMessageMetadataDataDefinition.java in mailbox/plugin/deleted-messages-vault-cassandra. The derivation of
// tables from others is that of CassandraIndexTableHandler.java and the DAOs in its folder. The deprecated tables of quotas are
// omitted.
//
// The source of a message in a mailbox is messageidtable instead of imapuidtable, because its key is the smaller one.
// Other differences: mailbox has a version and reserved columns; mailboxrecents has the server's gc_grace_seconds;
// thread_lookup_3 has the base subject, which the original has only in thread_2; most comments and caching options are omitted. The
// derivation of mailboxcounters, which counts messages, and of applicableflag, the union of their flags, is not declared.
package james

//go:generate go tool aml generate -schema

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/cassaml/cassaml/aml"
	"github.com/gocql/gocql"
)

// Mailbox is a folder of a user. Its path (namespace, user and name) is unique.
type Mailbox struct {
	aml.Aggregate `aml:"mailbox"`

	ID          gocql.UUID  `aml:"id,identifier,type=timeuuid"`
	Base        MailboxBase `aml:"mailboxbase,composition"`
	Name        string      `aml:"name,unique=Path,required"`
	UIDValidity int64       `aml:"uidvalidity"`
	Version     int64       `aml:"version,version"`
}

// MailboxBase is the location of a mailbox. User is "-" for a mailbox without an owner, because an empty text claims nothing.
type MailboxBase struct {
	aml.ValueObject `aml:"mailboxbase"`

	Namespace string `aml:"namespace,unique=Path,required"`
	User      string `aml:"user,unique=Path,required"`
}

// MailboxPath finds a mailbox by its path and lists the mailboxes of a user.
type MailboxPath struct {
	aml.Aggregate `aml:"mailboxpathv3,redundant=Mailbox"`

	Namespace   string     `aml:"namespace,identifier,from=Mailbox.Base.Namespace"`
	User        string     `aml:"user,identifier,from=Mailbox.Base.User"`
	Name        string     `aml:"mailboxname,discriminator"`
	ID          gocql.UUID `aml:"mailboxid,type=timeuuid"`
	UIDValidity int64      `aml:"uidvalidity"`
}

// MailboxMessage is a message in a mailbox, with its flags there. A message can be in several mailboxes.
type MailboxMessage struct {
	aml.Aggregate `aml:"messageidtable"`

	MailboxID gocql.UUID `aml:"mailboxid,identifier,type=timeuuid"`
	UID       int64      `aml:"uid,discriminator"`
	MessageID gocql.UUID `aml:"messageid,required,type=timeuuid"`
	ThreadID  gocql.UUID `aml:"threadid,type=timeuuid"`
	ModSeq    int64      `aml:"modseq"`
	Flags
	Digest
}

// Flags are the IMAP flags of a message in a mailbox.
type Flags struct {
	Answered  bool     `aml:"flaganswered"`
	Deleted   bool     `aml:"flagdeleted"`
	Draft     bool     `aml:"flagdraft"`
	Flagged   bool     `aml:"flagflagged"`
	Recent    bool     `aml:"flagrecent"`
	Seen      bool     `aml:"flagseen"`
	User      bool     `aml:"flaguser"`
	UserFlags []string `aml:"userflags,unique"`
}

// Digest has the part of a message that a listing needs. It never changes.
type Digest struct {
	InternalDate      time.Time `aml:"internaldate,required"`
	SaveDate          time.Time `aml:"save_date"`
	BodyStartOctet    int32     `aml:"bodystartoctet"`
	FullContentOctets int64     `aml:"fullcontentoctets"`
	HeaderContent     string    `aml:"headercontent"`
}

// MailboxUUID is the mailbox as a uuid of any kind.
func (m MailboxMessage) MailboxUUID() gocql.UUID { return m.MailboxID }

// MessageUUID is the message as a uuid of any kind.
func (m MailboxMessage) MessageUUID() gocql.UUID { return m.MessageID }

// ThreadUUID is the thread as a uuid of any kind.
func (m MailboxMessage) ThreadUUID() gocql.UUID { return m.ThreadID }

// MessageMailbox finds the mailboxes that hold a message.
type MessageMailbox struct {
	aml.Aggregate `aml:"imapuidtable,redundant=MailboxMessage"`

	MessageID gocql.UUID `aml:"messageid,identifier,type=timeuuid"`
	MailboxID gocql.UUID `aml:"mailboxid,discriminator,type=timeuuid"`
	UID       int64      `aml:"uid,discriminator"`
	ThreadID  gocql.UUID `aml:"threadid,type=timeuuid"`
	ModSeq    int64      `aml:"modseq"`
	Flags
	Digest
}

// FirstUnseen lists the unread messages of a mailbox, oldest first.
type FirstUnseen struct {
	aml.Aggregate `aml:"firstunseen,redundant=MailboxMessage,when=MailboxMessage.Seen = false"`

	MailboxID gocql.UUID `aml:"mailboxid,identifier,type=timeuuid"`
	UID       int64      `aml:"uid,discriminator"`
}

// DeletedMessage lists the messages of a mailbox that are marked for deletion.
type DeletedMessage struct {
	aml.Aggregate `aml:"messagedeleted,redundant=MailboxMessage,when=MailboxMessage.Deleted"`

	MailboxID gocql.UUID `aml:"mailboxid,identifier,type=timeuuid"`
	UID       int64      `aml:"uid,discriminator"`
}

// RecentMessage lists the messages of a mailbox that no session has seen.
type RecentMessage struct {
	aml.Aggregate `aml:"mailboxrecents,redundant=MailboxMessage,when=MailboxMessage.Recent"`

	MailboxID gocql.UUID `aml:"mailboxid,identifier,type=timeuuid"`
	UID       int64      `aml:"recent_mesage_uid,discriminator"`
}

// EmailByReceivedAt lists the messages of a mailbox, newest first, without those that are marked for deletion.
type EmailByReceivedAt struct {
	aml.Aggregate `aml:"email_query_view_received_at,redundant=MailboxMessage,distinct,when=MailboxMessage.Deleted = false"`

	MailboxID  gocql.UUID `aml:"mailboxid,identifier,from=MailboxMessage.MailboxUUID()"`
	ReceivedAt time.Time  `aml:"receivedat,discriminator,desc,from=MailboxMessage.InternalDate"`
	MessageID  gocql.UUID `aml:"messageid,discriminator,from=MailboxMessage.MessageUUID()"`
	ThreadID   gocql.UUID `aml:"thread_id,from=MailboxMessage.ThreadUUID()"`
}

// Message is a message, independent of the mailboxes that contain it. It never changes.
type Message struct {
	aml.Aggregate `aml:"messagev3"`

	ID                gocql.UUID   `aml:"messageid,identifier,type=timeuuid"`
	InternalDate      time.Time    `aml:"internaldate"`
	BodyStartOctet    int32        `aml:"bodystartoctet"`
	BodyOctets        int64        `aml:"bodyoctets"`
	FullContentOctets int64        `aml:"fullcontentoctets"`
	BodyContent       string       `aml:"bodycontent"`
	HeaderContent     string       `aml:"headercontent"`
	Attachments       []Attachment `aml:"attachments,composition"`
}

// Attachment is a reference to a file attached to a message.
type Attachment struct {
	aml.ValueObject `aml:"attachments"`

	ID       string  `aml:"id"`
	Name     *string `aml:"name"`
	CID      *string `aml:"cid"`
	IsInline bool    `aml:"isinline"`
}

// AttachmentFile is the location of the content of an attachment.
type AttachmentFile struct {
	aml.Aggregate `aml:"attachmentv2"`

	UUID      gocql.UUID `aml:"idasuuid,identifier"`
	ID        string     `aml:"id"`
	BlobID    string     `aml:"blobid"`
	Type      string     `aml:"'type'"`
	MessageID gocql.UUID `aml:"message_id,type=timeuuid"`
	Size      int64      `aml:"size"`
}

// MailboxCounters has the number of messages in a mailbox. The service increments it.
type MailboxCounters struct {
	aml.Aggregate `aml:"mailboxcounters"`

	MailboxID gocql.UUID `aml:"mailboxid,identifier,type=timeuuid"`
	Count     int64      `aml:"count,counter"`
	Unseen    int64      `aml:"unseen,counter"`
}

// ApplicableFlags are the user flags that were ever used in a mailbox. The service adds to them.
type ApplicableFlags struct {
	aml.Aggregate `aml:"applicableflag"`

	MailboxID gocql.UUID `aml:"mailboxid,identifier,type=timeuuid"`
	UserFlags []string   `aml:"userflags,unique"`
}

// UIDSequence has the next UID of a mailbox.
type UIDSequence struct {
	aml.Aggregate `aml:"messagecounter"`

	MailboxID gocql.UUID `aml:"mailboxid,identifier,type=timeuuid"`
	Next      int64      `aml:"nextuid"`
}

// ModSeqSequence has the next modification sequence of a mailbox.
type ModSeqSequence struct {
	aml.Aggregate `aml:"modseq"`

	MailboxID gocql.UUID `aml:"mailboxid,identifier,type=timeuuid"`
	Next      int64      `aml:"nextmodseq"`
}

// Annotation is a note on a mailbox.
type Annotation struct {
	aml.Aggregate `aml:"annotation,with='compaction = {''class'': ''LeveledCompactionStrategy''}'"`

	MailboxID gocql.UUID `aml:"mailboxid,identifier,type=timeuuid"`
	Key       string     `aml:"key,discriminator"`
	Value     string     `aml:"value"`
}

// Subscription is a mailbox that the client of a user shows.
type Subscription struct {
	aml.Aggregate `aml:"subscription"`

	User    string `aml:"user,identifier"`
	Mailbox string `aml:"mailbox,discriminator"`
}

// ACLEntry has the rights of a user or a group in a mailbox. A key that begins with - removes rights; a name that begins with $ is a
// group; anyone, owner and authenticated are special names.
type ACLEntry struct {
	aml.Aggregate `aml:"aclv2"`

	MailboxID gocql.UUID `aml:"id,identifier,type=timeuuid"`
	Key       string     `aml:"key,discriminator"`
	Rights    []string   `aml:"rights,unique"`
}

// UserName is the user of the entry; nil if the entry is not for a user.
func (e ACLEntry) UserName() *string {
	special := []string{"", "anyone", "owner", "authenticated"}
	if len(e.Rights) == 0 || strings.HasPrefix(e.Key, "-") || strings.HasPrefix(e.Key, "$") || slices.Contains(special, e.Key) {
		return nil
	}
	return &e.Key
}

// RightLetters are the rights as one text, in the order of the alphabet.
func (e ACLEntry) RightLetters() string {
	letters := slices.Clone(e.Rights)
	slices.Sort(letters)
	return strings.Join(letters, "")
}

// UserRight finds the mailboxes of others that a user has rights on.
type UserRight struct {
	aml.Aggregate `aml:"usermailboxacl,redundant=ACLEntry,distinct,when=ACLEntry.UserName(),with='compaction = {''class'': ''LeveledCompactionStrategy''}'"`

	UserName  string     `aml:"username,identifier,from=ACLEntry.UserName()"`
	MailboxID gocql.UUID `aml:"mailboxid,discriminator,type=timeuuid"`
	Rights    string     `aml:"rights,from=ACLEntry.RightLetters()"`
}

// ThreadMessage is a message of a thread, with the hashes of all message ids that its headers name.
type ThreadMessage struct {
	aml.Aggregate `aml:"thread_lookup_3"`

	ThreadID       gocql.UUID `aml:"threadid,identifier,type=timeuuid"`
	MessageID      gocql.UUID `aml:"messageid,discriminator,type=timeuuid"`
	UserName       string     `aml:"username,required"`
	MIMEMessageIDs []int32    `aml:"mimemessageids,unique,final"`
	BaseSubject    *int32     `aml:"basesubject"` // a hash too
}

// ThreadByMIMEMessageID guesses the thread of a new message of a user: by a message id that both name.
type ThreadByMIMEMessageID struct {
	aml.Aggregate `aml:"thread_2,redundant=ThreadMessage.MIMEMessageIDs,distinct"`

	UserName      string     `aml:"username,identifier,from=ThreadMessage.UserName"`
	MIMEMessageID int32      `aml:"mimemessageid,identifier,from=ThreadMessage.MIMEMessageIDs.$value"`
	MessageID     gocql.UUID `aml:"messageid,discriminator,type=timeuuid,from=ThreadMessage.MessageID"`
	ThreadID      gocql.UUID `aml:"threadid,type=timeuuid,from=ThreadMessage.ThreadID"`
	BaseSubject   *int32     `aml:"basesubject,from=ThreadMessage.BaseSubject"`
}

// RewriteRule sends what is addressed to a user of a domain elsewhere. The mapping begins with its type.
type RewriteRule struct {
	aml.Aggregate `aml:"rrt"`

	User    string `aml:"user,identifier"` // * for any
	Domain  string `aml:"domain,discriminator"`
	Mapping string `aml:"mapping,discriminator"`
}

// mappingTypes are the prefixes of mappings; a mapping with none of them is an address.
var mappingTypes = []string{"regex:", "domain:", "domainAlias:", "error:", "forward:", "group:", "alias:"}

// Type is the prefix of the mapping, empty for an address.
func (r RewriteRule) Type() string {
	for _, t := range mappingTypes {
		if strings.HasPrefix(r.Mapping, t) {
			return t
		}
	}
	return ""
}

// Target is the mapping without its prefix.
func (r RewriteRule) Target() string { return strings.TrimPrefix(r.Mapping, r.Type()) }

// Address is what the rule is about, as a mail address.
func (r RewriteRule) Address() string { return r.User + "@" + r.Domain }

// MappingSource finds the addresses that are sent to a target.
type MappingSource struct {
	aml.Aggregate `aml:"mappings_sources,redundant=RewriteRule,distinct"`

	Type   string `aml:"mapping_type,identifier,from=RewriteRule.Type()"`
	Value  string `aml:"mapping_value,identifier,from=RewriteRule.Target()"`
	Source string `aml:"source,discriminator,from=RewriteRule.Address()"`
}

// VaultMessage is a deleted message that can still be restored. Payload is JSON and says also where the content is.
type VaultMessage struct {
	aml.Aggregate `aml:"deletedmessagemetadata"`

	BucketName string `aml:"bucketname,identifier"`
	Owner      string `aml:"owner,identifier"`
	MessageID  string `aml:"messageid,discriminator"`
	Payload    string `aml:"payload,required"`
}

// BlobID is the blob that holds the content; empty when the payload does not say.
func (m VaultMessage) BlobID() string {
	var payload struct {
		StorageInformation struct {
			BlobID string `json:"blobId"`
		} `json:"storageInformation"`
	}
	if json.Unmarshal([]byte(m.Payload), &payload) != nil {
		return ""
	}
	return payload.StorageInformation.BlobID
}

// VaultStorage is the location of the content of a deleted message. A message is deleted once, so it is in one bucket.
type VaultStorage struct {
	aml.Aggregate `aml:"storageinformation,redundant=VaultMessage,distinct"`

	Owner      string `aml:"owner,identifier"`
	MessageID  string `aml:"messageid,identifier"`
	BucketName string `aml:"bucketname"`
	BlobID     string `aml:"blobid,from=VaultMessage.BlobID()"`
}

// VaultUser is a user with deleted messages in a bucket.
type VaultUser struct {
	aml.Aggregate `aml:"userperbucket,redundant=VaultMessage,shared"`

	BucketName string `aml:"bucketname,identifier"`
	Owner      string `aml:"user,discriminator"`
}
