-- What a phone tells of before is no news: whoever files it says so for its transaction, and no webhook hears of it.
CREATE OR REPLACE FUNCTION has_webhooks() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(current_setting('balcao.quiet', true), '') <> 'on' AND EXISTS (SELECT FROM "webhooks" WHERE "active")
$$;
