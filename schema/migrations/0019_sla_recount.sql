-- What goes is counted anew when hours or policies have changed, whoever changed them: a job, in the same transaction.
CREATE FUNCTION sla_recount() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  row_ jsonb := to_jsonb(CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END);
  company integer := (row_->>CASE WHEN TG_TABLE_NAME = 'companies' THEN 'id' ELSE 'companyId' END)::integer;
BEGIN
  IF EXISTS (SELECT FROM "companies" WHERE "id" = company)
    AND (TG_TABLE_NAME = 'sla_policies' OR EXISTS (SELECT FROM "sla_policies" WHERE "companyId" = company AND "active"))
    -- All places that change at once are one thing to count.
    AND NOT EXISTS (SELECT FROM "jobs" j WHERE j."kind" = 'sla.recount' AND j."companyId" = company
      AND j.xmin = pg_current_xact_id()::xid) THEN
    INSERT INTO "jobs" ("companyId", "kind", "payload") VALUES (company, 'sla.recount', '{}');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- What a policy names and is deleted it names no more. One that was for this alone is not for all others now: it rests.
CREATE FUNCTION sla_let_go() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'users' THEN
    UPDATE "sla_policies" SET "escalateUserIds" = array_remove("escalateUserIds", OLD."id")
      WHERE "companyId" = OLD."companyId" AND OLD."id" = ANY ("escalateUserIds");
  ELSIF TG_TABLE_NAME = 'tags' THEN
    UPDATE "sla_policies" SET "tagIds" = array_remove("tagIds", OLD."id"),
      "active" = "active" AND cardinality(array_remove("tagIds", OLD."id")) > 0
      WHERE "companyId" = OLD."companyId" AND OLD."id" = ANY ("tagIds");
  ELSE
    UPDATE "sla_policies" SET "queueIds" = array_remove("queueIds", OLD."id"),
      "active" = "active" AND cardinality(array_remove("queueIds", OLD."id")) > 0
      WHERE "companyId" = OLD."companyId" AND OLD."id" = ANY ("queueIds");
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "sla_policies_recount" AFTER INSERT OR UPDATE OR DELETE ON "sla_policies" FOR EACH ROW EXECUTE FUNCTION sla_recount();
--> statement-breakpoint
CREATE TRIGGER "companies_sla_recount" AFTER UPDATE OF "schedules", "holidays", "timeZone" ON "companies" FOR EACH ROW EXECUTE FUNCTION sla_recount();
--> statement-breakpoint
CREATE TRIGGER "queues_sla_let_go" AFTER DELETE ON "queues" FOR EACH ROW EXECUTE FUNCTION sla_let_go();
--> statement-breakpoint
CREATE TRIGGER "tags_sla_let_go" AFTER DELETE ON "tags" FOR EACH ROW EXECUTE FUNCTION sla_let_go();
--> statement-breakpoint
CREATE TRIGGER "users_sla_let_go" AFTER DELETE ON "users" FOR EACH ROW EXECUTE FUNCTION sla_let_go();
--> statement-breakpoint
-- After its policies have let it go.
CREATE TRIGGER "queues_sla_recount" AFTER UPDATE OF "schedules" OR DELETE ON "queues" FOR EACH ROW EXECUTE FUNCTION sla_recount();
