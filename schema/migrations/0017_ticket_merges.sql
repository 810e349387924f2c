CREATE TABLE "ticket_merges" (
	"id" text PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"fromId" integer NOT NULL,
	"intoId" integer NOT NULL,
	"messageIds" text[] NOT NULL,
	"noteIds" text[] NOT NULL,
	"eventIds" text[] NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "mergedIntoId" integer;--> statement-breakpoint
ALTER TABLE "ticket_merges" ADD CONSTRAINT "ticket_merges_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_merges" ADD CONSTRAINT "ticket_merges_fromId_tickets_id_fk" FOREIGN KEY ("fromId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_merges" ADD CONSTRAINT "ticket_merges_intoId_tickets_id_fk" FOREIGN KEY ("intoId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ticket_merges_from" ON "ticket_merges" USING btree ("fromId");--> statement-breakpoint
CREATE INDEX "ticket_merges_into" ON "ticket_merges" USING btree ("intoId");--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_mergedIntoId_tickets_id_fk" FOREIGN KEY ("mergedIntoId") REFERENCES "public"."tickets"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tickets_merged_into" ON "tickets" USING btree ("mergedIntoId") WHERE "tickets"."mergedIntoId" IS NOT NULL;