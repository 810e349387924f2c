-- A flow has at most a thousand nodes. Counted here, because whoever adds some sees only those that they add; all who do
-- have locked the flow.
CREATE FUNCTION limit_flow_nodes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "flow_nodes" WHERE "flowId" IN (SELECT "flowId" FROM added) GROUP BY "flowId" HAVING count(*) > 1000) THEN
    RAISE EXCEPTION 'more than a thousand nodes' USING ERRCODE = 'unique_violation', CONSTRAINT = 'flow_nodes_limit';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "flow_nodes_added" AFTER INSERT ON "flow_nodes" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION limit_flow_nodes();
