-- What becomes of tickets, messages, campaigns, opt-outs and ratings a decision says, and with it what webhooks hear of it:
-- `webhooks.causes.ts`. What a phone tells of before is no news.
CREATE FUNCTION wants_webhooks(company integer, events text[]) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(current_setting('balcao.quiet', true), '') <> 'on'
    AND EXISTS (SELECT FROM "webhooks" w WHERE w."companyId" = company AND w."active" AND w."events" && wants_webhooks.events)
$$;
--> statement-breakpoint
DROP TRIGGER "messages_webhook_added" ON "messages";
--> statement-breakpoint
DROP TRIGGER "messages_webhook_changed" ON "messages";
--> statement-breakpoint
DROP TRIGGER "tickets_webhook_added" ON "tickets";
--> statement-breakpoint
DROP TRIGGER "tickets_webhook_changed" ON "tickets";
--> statement-breakpoint
DROP TRIGGER "ratings_webhook_added" ON "ratings";
--> statement-breakpoint
DROP TRIGGER "opt_outs_webhook_added" ON "opt_outs";
--> statement-breakpoint
DROP TRIGGER "campaigns_webhook_changed" ON "campaigns";
--> statement-breakpoint
DROP FUNCTION webhook_messages_added();
--> statement-breakpoint
DROP FUNCTION webhook_messages_changed();
--> statement-breakpoint
DROP FUNCTION webhook_tickets_added();
--> statement-breakpoint
DROP FUNCTION webhook_tickets_changed();
--> statement-breakpoint
DROP FUNCTION webhook_ratings_added();
--> statement-breakpoint
DROP FUNCTION webhook_opt_outs_added();
--> statement-breakpoint
DROP FUNCTION webhook_campaign_changed();
