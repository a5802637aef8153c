import org.apache.cassandra.utils.Clock;

/** A clock that is ahead of the clock of the machine. */
public class ClockAhead implements Clock {
    private final long ahead = Long.getLong("clock.ahead", 0);

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long currentTimeMillis() {
        return System.currentTimeMillis() + ahead;
    }
}
