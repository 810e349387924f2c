-- Deletes the jobs that are done and takes those that are due: of each rank at most as many as `rooms` has for it, of each
-- lane the first, those of a connection only where it is open. What stands in a lane before a job of a better rank is
-- taken in its stead: it leaves as soon as that job would, and the order within a chat stays.
-- As a function for its settings: jobs are seldom there when Postgres counts the table, so it takes thousands of them for
-- a handful or one for all there are, and would read, probe and sort them all to find the first. What is left to it is
-- one plan, whatever was counted: each step in the order of the index that is for it. The first of a lane is asked for
-- with nulls first, as its index is sorted; the index of the key could else be read instead, past all other lanes. That
-- plan is made once for each connection: made at each call, as our connections have it elsewhere, it took four fifths
-- of the call.
CREATE FUNCTION turn_over_jobs(done bigint[], worker text, connections integer[], lock_for interval, rooms integer[])
RETURNS SETOF "jobs" LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_sort = off
SET enable_bitmapscan = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE room integer;
BEGIN
  DELETE FROM "jobs" WHERE "id" = ANY(done);
  FOR its IN 0..2 LOOP
    room := rooms[its + 1];
    CONTINUE WHEN room <= 0;
    RETURN QUERY
      WITH due AS (
        SELECT head."id" FROM "jobs" j
        CROSS JOIN LATERAL (
          SELECT h."id" FROM "jobs" h
          WHERE h."id" = CASE WHEN j."lane" IS NULL THEN j."id" ELSE (
              SELECT first."id" FROM "jobs" first WHERE first."lane" = j."lane" AND first."failedAt" IS NULL
              ORDER BY first."id" NULLS FIRST LIMIT 1) END
            AND h."failedAt" IS NULL AND h."runAt" <= now()
            -- A connection has one holder at a time: who locked its jobs before it came to us is gone.
            AND (h."lockedUntil" IS NULL OR h."lockedUntil" < now() OR (h."whatsappId" IS NOT NULL AND h."lockedBy" <> worker))
          FOR UPDATE SKIP LOCKED) head
        WHERE j."failedAt" IS NULL AND j."rank" = its AND j."runAt" <= now()
          AND (j."whatsappId" IS NULL OR j."whatsappId" = ANY(connections))
          AND (j."lane" IS NULL OR j."id" = (
            SELECT first."id" FROM "jobs" first WHERE first."lane" = j."lane" AND first."failedAt" IS NULL AND first."rank" <= its
            ORDER BY first."id" NULLS FIRST LIMIT 1))
        ORDER BY j."runAt", j."id" LIMIT room)
      UPDATE "jobs" taken SET "rank" = its, "lockedUntil" = now() + lock_for, "lockedBy" = worker, "attempts" = "attempts" + 1
      WHERE taken."id" = ANY (ARRAY(SELECT due."id" FROM due))
      RETURNING taken.*;
  END LOOP;
END $$;
