package recipes

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// chat is a store with a clock, and a function that inserts the message n of a channel at an instant.
func chat(t *testing.T, now time.Time) (s *Store, backend *memory.Backend, insert func(channel string, n int, at time.Time) error) {
	backend = memory.New(memory.Config{Now: func() time.Time { return now }})
	s, err := OpenBackend(t.Context(), backend)
	require.NoError(t, err)
	return s, backend, func(channel string, n int, at time.Time) error {
		return InsertMessage(t.Context(), s, &Message{Channel: channel, Day: Day(at), At: at, ID: number(byte(n)), Text: "hello"})
	}
}

// Devices of a user mark messages as read in any order and at the same time, and messages arrive in any order. The numbers are those of the messages
// after the last one that was marked.
func TestUnreadAgreesWithTheLastMark(t *testing.T) {
	now := time.Date(2026, time.March, 8, 20, 0, 0, 0, time.UTC)
	random := rand.New(rand.NewPCG(1, 2))
	s, _, insert := chat(t, now)
	want := map[string]int{}
	for _, channel := range []string{"go", "java", "rust"} {
		times, marked := make([]time.Time, 60), now.AddDate(0, 0, -6)
		for i := range times {
			times[i] = now.Add(-time.Duration(random.IntN(5*24*3600)) * time.Second)
		}
		marks := append(times[:20:20], marked)
		random.Shuffle(len(marks), func(i, j int) { marks[i], marks[j] = marks[j], marks[i] })
		var wg sync.WaitGroup
		for device := range 3 {
			wg.Go(func() {
				for i := device; i < len(times); i += 3 {
					if err := insert(channel, i, times[i]); err != nil {
						t.Error(err)
					}
				}
				for i := device; i < len(marks); i += 3 {
					if err := MarkRead(t.Context(), s, "ana", channel, marks[i]); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		last := slices.MaxFunc(marks, time.Time.Compare)
		want[channel] = 0
		for _, at := range times {
			if at.After(last) {
				want[channel]++
			}
		}
	}
	got, err := CountUnread(t.Context(), s, "ana")
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// A number is at most 100. A message that is earlier than the mark counts as read. Messages of days that are more than a week before the newest one are
// not counted.
func TestLimitsOfUnread(t *testing.T) {
	now := time.Date(2026, time.March, 20, 20, 0, 0, 0, time.UTC)
	s, _, insert := chat(t, now)
	for _, channel := range []string{"many", "late", "old", "empty"} {
		require.NoError(t, MarkRead(t.Context(), s, "ana", channel, now.AddDate(0, 0, -19)))
	}
	for i := range 150 {
		require.NoError(t, insert("many", i, now.Add(-time.Duration(i)*time.Hour)))
	}
	require.NoError(t, MarkRead(t.Context(), s, "ana", "late", now.Add(-time.Second)))
	require.NoError(t, insert("late", 1, now.Add(-2*time.Second)))
	require.NoError(t, insert("late", 2, now))
	require.NoError(t, insert("old", 1, now))
	require.NoError(t, insert("old", 2, now.AddDate(0, 0, -6)))
	require.NoError(t, insert("old", 3, now.AddDate(0, 0, -7)))
	got, err := CountUnread(t.Context(), s, "ana")
	require.NoError(t, err)
	require.Equal(t, map[string]int{"many": 100, "late": 1, "old": 2, "empty": 0}, got)
}

// A list of channels reads no messages of the channels that have nothing new, and the days since the mark of the others. A mark is one write.
func TestRequestsOfUnread(t *testing.T) {
	now := time.Date(2026, time.March, 8, 20, 0, 0, 0, time.UTC)
	s, backend, insert := chat(t, now)
	for i, channel := range []string{"go", "java", "rust"} {
		require.NoError(t, MarkRead(t.Context(), s, "ana", channel, now.AddDate(0, 0, -2)))
		require.NoError(t, insert(channel, 1, now.AddDate(0, 0, -i)))
	}
	var mu sync.Mutex
	requests := map[string]int{}
	backend.Intercept(func(r memory.Request) memory.Outcome {
		mu.Lock()
		defer mu.Unlock()
		for _, table := range r.Tables {
			requests[table]++
		}
		return memory.Done
	})
	got, err := CountUnread(t.Context(), s, "ana")
	require.NoError(t, err)
	require.Equal(t, map[string]int{"go": 1, "java": 1, "rust": 0}, got)
	require.Equal(t, map[string]int{"read_marks": 1, "last_messages": 3, "messages": 3 + 2}, requests)
	clear(requests)
	require.NoError(t, MarkRead(t.Context(), s, "ana", "go", now))
	require.Equal(t, map[string]int{"read_marks": 1}, requests)
}

// A message whose outcome is unknown can be sent again: it is one message. One that was refused is neither in the channel nor in the list.
func TestMessageOfUnknownOutcome(t *testing.T) {
	now := time.Date(2026, time.March, 8, 20, 0, 0, 0, time.UTC)
	s, backend, insert := chat(t, now)
	require.NoError(t, MarkRead(t.Context(), s, "ana", "go", now.Add(-time.Hour)))
	for n, outcome := range []memory.Outcome{memory.Refused, memory.LostAnswer} {
		backend.Intercept(func(memory.Request) memory.Outcome { return outcome })
		require.Equal(t, outcome == memory.LostAnswer, mapper.OutcomeUnknown(insert("go", 1, now)))
		backend.Intercept(nil)
		got, err := CountUnread(t.Context(), s, "ana")
		require.NoError(t, err)
		require.Equal(t, map[string]int{"go": n}, got)
	}
	require.NoError(t, insert("go", 1, now))
	got, err := CountUnread(t.Context(), s, "ana")
	require.NoError(t, err)
	require.Equal(t, map[string]int{"go": 1}, got)
}
