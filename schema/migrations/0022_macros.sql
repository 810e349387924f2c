CREATE TABLE "macros" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"userId" integer,
	"name" text NOT NULL,
	"shortcut" text DEFAULT '' NOT NULL,
	"actions" jsonb NOT NULL,
	"sharing" text DEFAULT 'own' NOT NULL,
	"queueIds" integer[] DEFAULT '{}'::integer[] NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "macros" ADD CONSTRAINT "macros_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "macros" ADD CONSTRAINT "macros_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "macros_company" ON "macros" USING btree ("companyId","name","id");--> statement-breakpoint
CREATE INDEX "macros_user" ON "macros" USING btree ("userId");
--> statement-breakpoint
ALTER TABLE "macros" REPLICA IDENTITY FULL;
--> statement-breakpoint
-- What somebody made for themselves goes with them; what they shared stays.
CREATE FUNCTION macros_left() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "macros" WHERE "id" = NEW."id";
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "macros_left" AFTER UPDATE OF "userId" ON "macros" FOR EACH ROW
  WHEN (NEW."userId" IS NULL AND NEW."sharing" = 'own') EXECUTE FUNCTION macros_left();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "macros_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "shortcut", "actions", "sharing", "queueIds" ON "macros"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('macro', 'name,shortcut,actions,sharing,queueIds', '');
