CREATE TABLE "oidc_subjects" (
	"userId" integer NOT NULL,
	"companyId" integer NOT NULL,
	"issuer" text NOT NULL,
	"clientId" text NOT NULL,
	"subject" text NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "oidc_subjects_userId_issuer_clientId_pk" PRIMARY KEY("userId","issuer","clientId")
);
--> statement-breakpoint
ALTER TABLE "oidc_subjects" ADD CONSTRAINT "oidc_subjects_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oidc_subjects" ADD CONSTRAINT "oidc_subjects_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "oidc_subjects_subject" ON "oidc_subjects" USING btree ("companyId","issuer","clientId","subject");