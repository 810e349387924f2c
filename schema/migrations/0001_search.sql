-- What search reads, on the server and in lists of the administration.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS unaccent;
--> statement-breakpoint
-- unaccent() is only STABLE; this wrapper names its dictionary, so an index may use it. Every row that a search reads
-- goes through it, and PL/pgSQL calls it in a fifth of the time that SQL takes, which could not inline it.
CREATE FUNCTION plain(text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  RETURN lower(public.unaccent('public.unaccent', $1));
END $$;
--> statement-breakpoint
-- Who a number is, however it is spelt: `numberKey` of schema/contacts/contacts.phone.ts.
CREATE FUNCTION number_key(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT CASE
    WHEN $1 ~ '^55[1-9]{2}9[6-9][0-9]{7}$' THEN left($1, 4) || substr($1, 6)
    WHEN $1 ~ '^(549|521)[0-9]{10}$' THEN left($1, 2) || substr($1, 4)
    ELSE $1
  END
$$;
--> statement-breakpoint
CREATE INDEX contacts_number_key ON contacts ("companyId", number_key("number"));
--> statement-breakpoint
-- What a message is found by: six letters or digits in a row, from each place of its words where at least three are
-- left; at the end of a word as many as there are. A text of up to six stands in a message if, and only if, one of these
-- begins with it. A text is taken in parts, because a letter is found in it by counting from its beginning, and no
-- further than a message's body is long: what it costs is bounded, whatever somebody writes. Not declared safe for parallel plans: starting workers takes longer than a search.
CREATE FUNCTION word_pieces(text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  folded text := public.plain(left($1, 4096));
  word text;
  pieces text[] := '{}';
BEGIN
  FOR start IN 1..length(folded) BY 300 LOOP
    FOREACH word IN ARRAY regexp_split_to_array(substr(folded, start, 305), '[^a-z0-9]+') LOOP
      FOR i IN 1..length(word) - 2 LOOP
        pieces := array_append(pieces, substr(word, i, 6));
      END LOOP;
    END LOOP;
  END LOOP;
  RETURN array_to_tsvector(pieces);
END $$;
--> statement-breakpoint
CREATE INDEX "contacts_search" ON "contacts" USING gin (plain("name") gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "contacts_number_search" ON "contacts" USING gin ("number" gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "contacts_email_search" ON "contacts" USING gin (lower("email") gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "contacts_username_search" ON "contacts" USING gin (lower("username") gin_trgm_ops) WHERE "username" IS NOT NULL;
--> statement-breakpoint
-- The operator finds a company by either of them.
CREATE INDEX "companies_search" ON "companies" USING gin (plain("name") gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "companies_email_search" ON "companies" USING gin (plain("email") gin_trgm_ops);
--> statement-breakpoint
-- Of the people of one company: each name would be made plain for every search.
CREATE INDEX "users_search" ON "users" USING gin (plain("name") gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "users_email_search" ON "users" USING gin (lower("email") gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "messages_search" ON "messages" USING gin (word_pieces("body")) WHERE "mediaType" = 'chat';
