-- How many messages fall on a day, by class: `cost_days` follows the ledger in the transaction that changes it, whoever
-- does. The ledger's rows go only with their company, which takes the counts along.
CREATE FUNCTION count_costs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "cost_days" AS c ("companyId", "whatsappId", "day", "market", "category", "type", "n")
      SELECT "companyId", "whatsappId", "day", "market", coalesce("category", ''), coalesce("type", ''), count(*)
      FROM becomes WHERE "day" IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 2, 3, 4, 5, 6
      ON CONFLICT ("whatsappId", "day", "market", "category", "type") DO UPDATE SET "n" = c."n" + excluded."n";
  ELSE
    INSERT INTO "cost_days" AS c ("companyId", "whatsappId", "day", "market", "category", "type", "n")
      SELECT "companyId", "whatsappId", "day", "market", coalesce("category", ''), coalesce("type", ''), sum(n)
      FROM (SELECT *, 1 AS n FROM becomes UNION ALL SELECT *, -1 AS n FROM was) both_
      WHERE "day" IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(n) <> 0 ORDER BY 2, 3, 4, 5, 6
      ON CONFLICT ("whatsappId", "day", "market", "category", "type") DO UPDATE SET "n" = c."n" + excluded."n";
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "message_costs_added" AFTER INSERT ON "message_costs" REFERENCING NEW TABLE AS becomes
  FOR EACH STATEMENT EXECUTE FUNCTION count_costs();
--> statement-breakpoint
CREATE TRIGGER "message_costs_changed" AFTER UPDATE ON "message_costs" REFERENCING OLD TABLE AS was NEW TABLE AS becomes
  FOR EACH STATEMENT EXECUTE FUNCTION count_costs();
