/**
 * The tables of a team's database, in a schema of their own. What a machine may do, it does through functions that ask
 * for its token, so a machine may come straight to the database with a login that can do nothing else. The functions run
 * as `checkpoint_ingest`, for which row level security lets pass the rows of the machine that was recognised, and no others.
 *
 * | role | may |
 * | --- | --- |
 * | checkpoint_machine | call the four functions |
 * | checkpoint_member | read sums, never rows or machines |
 * | checkpoint_admin | read everything, invite, revoke, set rules |
 */
export const BASE_TABLES = `
do $$ declare role text; begin
  -- Roles belong to the cluster: another database, or another process, may have them already.
  foreach role in array array['checkpoint_ingest', 'checkpoint_machine', 'checkpoint_member', 'checkpoint_admin'] loop
    begin execute format('create role %I nologin', role); exception when duplicate_object or unique_violation then null; end;
    if not pg_has_role(current_user, role, 'member') then execute format('grant %I to current_user', role); end if;
  end loop;
end $$;

create table settings (key text primary key, value text not null);
insert into settings values ('salt', encode(sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea), 'hex'));

create table machines (
  id int generated always as identity primary key,
  name text not null check (length(name) between 1 and 100),
  -- A token that many short-lived machines share is not replaced by itself.
  is_shared boolean not null default false,
  joined_at timestamptz not null default now(),
  revoked_at timestamptz,
  last_sync_at timestamptz,
  client text
);
create table tokens (
  hash bytea primary key check (length(hash) = 32),
  machine_id int not null references machines,
  role text not null check (role in ('machine', 'member', 'admin')),
  made_at timestamptz not null default now(),
  -- The token that this one takes the place of, at its first use.
  replaces bytea
);
create index tokens_by_machine on tokens (machine_id);
create table invites (
  hash bytea primary key check (length(hash) = 32),
  role text not null check (role in ('machine', 'member', 'admin')),
  is_shared boolean not null default false,
  expires_at timestamptz not null,
  used_at timestamptz,
  used_by bytea
);
create table page_keys (
  hash bytea primary key check (length(hash) = 32),
  kind text not null check (kind in ('link', 'page')),
  role text not null check (role in ('member', 'admin')),
  machine_id int not null references machines,
  expires_at timestamptz not null
);
create table rules (
  version int primary key check (version > 0),
  text text not null check (length(text) <= 50000),
  signature text not null check (length(signature) <= 200),
  set_at timestamptz not null default now(),
  set_by int references machines
);

create table repositories (id int generated always as identity primary key, name text not null unique check (length(name) <= 100));

create table stops (
  stopped_at timestamptz not null,
  uid uuid not null,
  machine_id int not null,
  repository_id int not null,
  agent text not null check (length(agent) <= 64),
  decision text not null check (decision in ('block', 'pass')),
  reason text check (length(reason) <= 64),
  rules text[] not null default '{}',
  checks text[] not null default '{}',
  duration_ms int,
  message_length int,
  files int,
  client text check (length(client) <= 100),
  -- What this version does not know yet.
  extra jsonb,
  received_at timestamptz not null default now(),
  primary key (stopped_at, uid)
) partition by range (stopped_at);

create table outcomes (
  stopped_at timestamptz not null,
  uid uuid not null,
  rule text not null check (length(rule) <= 64),
  machine_id int not null,
  repository_id int not null,
  agent text not null check (length(agent) <= 64),
  kind text check (length(kind) <= 64),
  mode text not null check (length(mode) <= 64),
  outcome text not null check (length(outcome) <= 64),
  why text check (length(why) <= 64),
  seconds int,
  tokens int,
  judged_at timestamptz,
  extra jsonb,
  received_at timestamptz not null default now(),
  primary key (stopped_at, uid, rule)
) partition by range (stopped_at);

-- Where rows go whose time nobody believes.
create table stops_default partition of stops default;
create table outcomes_default partition of outcomes default;

-- What the sums have not taken in yet. A row is inserted once, so its share is counted once; whatever a transaction that
-- is still open has written is not visible, and waits. Several machines never wait for one another.
create table stop_shares (
  id bigint generated always as identity primary key,
  day date not null, repository_id int not null, agent text not null, decision text not null,
  stops int not null, duration_ms bigint not null
);
create table outcome_shares (
  id bigint generated always as identity primary key,
  day date not null, repository_id int not null, agent text not null, rule text not null, mode text not null, outcome text not null,
  answers int not null, seconds bigint not null, timed int not null
);

-- Repository 0 is the whole team: what a page asks for first.
create table stops_day (
  repository_id int not null, day date not null, agent text not null, decision text not null,
  stops bigint not null, duration_ms bigint not null,
  primary key (repository_id, day, agent, decision)
);
create table rules_day (
  repository_id int not null, day date not null, rule text not null, mode text not null, outcome text not null, agent text not null,
  answers bigint not null, seconds bigint not null, timed bigint not null,
  primary key (repository_id, day, rule, mode, outcome, agent)
);
-- The same without agents and rules: what a list of repositories and a trend of days read.
create table repositories_day (
  day date not null, repository_id int not null,
  stops bigint not null, blocked bigint not null, done bigint not null, known bigint not null,
  primary key (day, repository_id)
);
create index repositories_day_by_repository on repositories_day (repository_id, day);

-- Makes the partitions of a month; rows of that month which came before lie in the default one, and move.
create function make_month(first date) returns void language plpgsql set search_path = checkpoint, pg_temp as $$
declare parent text; part text; bounds text := format('for values from (%L) to (%L)', first, (first + interval '1 month')::date);
begin
  foreach parent in array array['stops', 'outcomes'] loop
    part := parent || to_char(first, '_YYYYMM');
    continue when to_regclass('checkpoint.' || part) is not null;
    execute format('create table %I (like %I including defaults including constraints)', part, parent);
    execute format('with moved as (delete from %I where stopped_at >= %L and stopped_at < %L returning *) insert into %I select * from moved',
      parent || '_default', first, (first + interval '1 month')::date, part);
    execute format('alter table %I attach partition %I %s', parent, part, bounds);
  end loop;
end $$;

-- Drops the months that ended before, and what the default partitions hold from before. Returns how many.
create function drop_months(before date) returns int language plpgsql set search_path = checkpoint, pg_temp as $$
declare part record; dropped int := 0;
begin
  for part in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where p.relname in ('stops', 'outcomes') and p.relnamespace = 'checkpoint'::regnamespace and c.relname ~ '_[0-9]{6}$'
      and to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month' <= before loop
    execute format('drop table %I', part.relname);
    dropped := dropped + 1;
  end loop;
  delete from stops_default where stopped_at < before;
  delete from outcomes_default where stopped_at < before;
  return dropped;
end $$;

-- Adds what is new to the sums. One process at a time: two would wait for each other's rows.
create function fold(most int) returns int language plpgsql set search_path = checkpoint, pg_temp as $$
declare taken int; more int;
begin
  if not pg_try_advisory_xact_lock(hashtext('checkpoint.fold')) then return 0; end if;
  with part as (delete from stop_shares where id in (select id from stop_shares order by id limit most) returning *),
  places as (
    insert into repositories_day as d
      select day, coalesce(repository_id, 0), sum(stops), coalesce(sum(stops) filter (where decision = 'block'), 0), 0, 0 from part
      group by grouping sets ((repository_id, day), (day))
    on conflict (day, repository_id) do update set stops = d.stops + excluded.stops, blocked = d.blocked + excluded.blocked
  )
  insert into stops_day as d
    select coalesce(repository_id, 0), day, agent, decision, sum(stops), sum(duration_ms) from part
    group by grouping sets ((repository_id, day, agent, decision), (day, agent, decision))
  on conflict (repository_id, day, agent, decision) do update
    set stops = d.stops + excluded.stops, duration_ms = d.duration_ms + excluded.duration_ms;
  get diagnostics taken = row_count;
  with part as (delete from outcome_shares where id in (select id from outcome_shares order by id limit most) returning *),
  places as (
    insert into repositories_day as d
      select day, coalesce(repository_id, 0), 0, 0, coalesce(sum(answers) filter (where outcome = 'done'), 0), sum(answers) from part
      where mode <> 'shadow' and outcome in ('done', 'partly', 'ignored', 'waived')
      group by grouping sets ((repository_id, day), (day))
    on conflict (day, repository_id) do update set done = d.done + excluded.done, known = d.known + excluded.known
  )
  insert into rules_day as d
    select coalesce(repository_id, 0), day, rule, mode, outcome, agent, sum(answers), sum(seconds), sum(timed) from part
    group by grouping sets ((repository_id, day, rule, mode, outcome, agent), (day, rule, mode, outcome, agent))
  on conflict (repository_id, day, rule, mode, outcome, agent) do update
    set answers = d.answers + excluded.answers, seconds = d.seconds + excluded.seconds, timed = d.timed + excluded.timed;
  get diagnostics more = row_count;
  return taken + more;
end $$;

-- Whose token this is; an error of class 28 if it is nobody's. A new token ends the one that it replaces.
create function identify(token bytea) returns tokens language plpgsql security definer set search_path = checkpoint, pg_temp as $$
declare me tokens;
begin
  select t.* into me from tokens t join machines m on m.id = t.machine_id where t.hash = token and m.revoked_at is null;
  if me.hash is null then raise exception 'the token is unknown or revoked' using errcode = '28000'; end if;
  if me.replaces is not null then
    delete from tokens where hash = me.replaces and machine_id = me.machine_id;
    update tokens set replaces = null where hash = me.hash;
  end if;
  return me;
end $$;

create function enrol(code bytea, token bytea, given_name text, given_key text) returns jsonb
language plpgsql security definer set search_path = checkpoint, pg_temp as $$
declare invite invites; machine int;
begin
  -- Asked again with the same token, because the answer was lost, it answers again.
  select * into invite from invites where hash = code and ((used_at is null and expires_at > now()) or used_by = token) for update;
  if invite.hash is null then raise exception 'the code is unknown, used or too old' using errcode = '28000'; end if;
  select machine_id into machine from tokens where hash = token;
  if machine is null then
    insert into machines (name, is_shared) values (given_name, invite.is_shared) returning id into machine;
    insert into tokens (hash, machine_id, role) values (token, machine, invite.role);
    update invites set used_at = now(), used_by = token where hash = code;
  end if;
  if invite.role = 'admin' and given_key is not null then
    insert into settings values ('publicKey', given_key) on conflict do nothing;
  end if;
  return jsonb_build_object('machine', machine, 'role', invite.role,
    'team', (select value from settings where key = 'team'), 'salt', (select value from settings where key = 'salt'),
    'publicKey', (select value from settings where key = 'publicKey'));
end $$;

create function replace_token(token bytea, fresh bytea) returns void
language plpgsql security definer set search_path = checkpoint, pg_temp as $$
declare me tokens := identify(token);
begin
  insert into tokens (hash, machine_id, role, replaces) values (fresh, me.machine_id, me.role, token) on conflict do nothing;
end $$;

create function current_rules(token bytea) returns jsonb
language plpgsql security definer set search_path = checkpoint, pg_temp as $$
begin
  perform identify(token);
  return (select jsonb_build_object('version', version, 'text', text, 'signature', signature) from rules order by version desc limit 1);
end $$;

-- Stores a batch: what is new is inserted and its share noted, what is known is left. All or nothing.
create function ingest(token bytea, batch jsonb) returns jsonb
language plpgsql security definer set search_path = checkpoint, pg_temp as $$
declare me tokens := identify(token); stored int; more int;
begin
  perform set_config('checkpoint.machine', me.machine_id::text, true);
  insert into repositories (name)
    select distinct coalesce(r ->> 'repository', '') from jsonb_array_elements(batch) r
    where not exists (select from repositories k where k.name = coalesce(r ->> 'repository', '')) order by 1
    on conflict do nothing;
  with given as (
    select r.*, k.id as repository_id, line - array['t','uid','at','agent','repository','decision','reason','rules','checks','durationMs','messageLength','files','client'] as extra
    from jsonb_array_elements(batch) line, jsonb_to_record(line) as r(t text, uid uuid, at timestamptz, agent text, repository text, decision text, reason text,
      rules text[], checks text[], "durationMs" int, "messageLength" int, files int, client text)
    join repositories k on k.name = coalesce(r.repository, '')
    where r.t = 'stop'
  ), new as (
    insert into stops (stopped_at, uid, machine_id, repository_id, agent, decision, reason, rules, checks, duration_ms, message_length, files, client, extra)
    select at, uid, me.machine_id, repository_id, agent, decision, reason, coalesce(rules, '{}'), coalesce(checks, '{}'), "durationMs", "messageLength", files, client, nullif(extra, '{}')
    from given on conflict (stopped_at, uid) do nothing
    returning stopped_at, repository_id, agent, decision, duration_ms
  ), shares as (
    insert into stop_shares (day, repository_id, agent, decision, stops, duration_ms)
    select (stopped_at at time zone 'utc')::date, repository_id, agent, decision, count(*), coalesce(sum(duration_ms), 0) from new
    where stopped_at between now() - interval '400 days' and now() + interval '2 days' group by 1, 2, 3, 4
  ) select count(*) into stored from new;
  with given as (
    select r.*, k.id as repository_id, line - array['t','uid','at','agent','repository','rule','kind','mode','outcome','why','seconds','tokens','judgedAt'] as extra
    from jsonb_array_elements(batch) line, jsonb_to_record(line) as r(t text, uid uuid, at timestamptz, agent text, repository text, rule text, kind text, mode text,
      outcome text, why text, seconds int, tokens int, "judgedAt" timestamptz)
    join repositories k on k.name = coalesce(r.repository, '')
    where r.t = 'outcome'
  ), new as (
    insert into outcomes (stopped_at, uid, rule, machine_id, repository_id, agent, kind, mode, outcome, why, seconds, tokens, judged_at, extra)
    select at, uid, rule, me.machine_id, repository_id, agent, kind, coalesce(mode, 'require'), outcome, why, seconds, tokens, "judgedAt", nullif(extra, '{}')
    from given on conflict (stopped_at, uid, rule) do nothing
    returning stopped_at, repository_id, agent, rule, kind, mode, outcome, seconds
  ), shares as (
    insert into outcome_shares (day, repository_id, agent, rule, mode, outcome, answers, seconds, timed)
    select (stopped_at at time zone 'utc')::date, repository_id, agent, rule, mode, outcome, count(*), coalesce(sum(seconds), 0), count(seconds) from new
    where stopped_at between now() - interval '400 days' and now() + interval '2 days' and kind is distinct from 'message' group by 1, 2, 3, 4, 5, 6
  ) select count(*) into more from new;
  update machines set last_sync_at = now(), client = coalesce((select max(r ->> 'client') from jsonb_array_elements(batch) r), client)
    where id = me.machine_id and (last_sync_at is null or last_sync_at < now() - interval '20 seconds');
  return jsonb_build_object('received', jsonb_array_length(batch), 'inserted', stored + more,
    'rulesVersion', coalesce((select max(version) from rules), 0),
    'rotate', me.made_at < now() - interval '30 days' and not (select is_shared from machines where id = me.machine_id));
end $$;

grant usage on schema checkpoint to checkpoint_ingest, checkpoint_machine, checkpoint_member, checkpoint_admin;
grant select on settings, rules, invites, repositories, machines, tokens to checkpoint_ingest;
grant insert on settings, machines, tokens, repositories, stop_shares, outcome_shares to checkpoint_ingest;
grant select, insert on stops, outcomes to checkpoint_ingest;
grant update on machines, tokens, invites to checkpoint_ingest;
grant delete on tokens to checkpoint_ingest;
grant select on repositories, stops_day, rules_day, repositories_day to checkpoint_member;
grant select on repositories, stops_day, rules_day, repositories_day, machines, stops, outcomes, rules, settings to checkpoint_admin;
grant select, insert on invites, rules to checkpoint_admin;
grant update (revoked_at) on machines to checkpoint_admin;

do $$ declare f text; begin
  foreach f in array array['identify(bytea)', 'enrol(bytea, bytea, text, text)', 'replace_token(bytea, bytea)', 'current_rules(bytea)', 'ingest(bytea, jsonb)'] loop
    execute format('revoke all on function %s from public', f);
    execute format('grant execute on function %s to checkpoint_machine', f);
  end loop;
  -- A function can be given only to a role that may create in its schema.
  grant create on schema checkpoint to checkpoint_ingest;
  foreach f in array array['identify(bytea)', 'enrol(bytea, bytea, text, text)', 'replace_token(bytea, bytea)', 'current_rules(bytea)', 'ingest(bytea, jsonb)'] loop
    execute format('alter function %s owner to checkpoint_ingest', f);
  end loop;
  revoke create on schema checkpoint from checkpoint_ingest;
end $$;
revoke all on function make_month(date), drop_months(date), fold(int) from public;

-- The second line: even code that runs as one of these roles sees and writes no more than this.
do $$ declare t text; begin
  foreach t in array array['machines', 'tokens', 'invites', 'settings', 'rules', 'page_keys', 'repositories', 'stops', 'outcomes', 'stop_shares', 'outcome_shares', 'stops_day', 'rules_day', 'repositories_day'] loop
    execute format('alter table %I enable row level security', t);
  end loop;
  foreach t in array array['machines', 'tokens', 'invites', 'settings', 'rules', 'repositories', 'stop_shares', 'outcome_shares'] loop
    execute format('create policy ingest on %I to checkpoint_ingest using (true) with check (true)', t);
  end loop;
  foreach t in array array['machines', 'invites', 'rules', 'settings', 'repositories', 'stops', 'outcomes', 'stops_day', 'rules_day', 'repositories_day'] loop
    execute format('create policy admin on %I to checkpoint_admin using (true) with check (true)', t);
  end loop;
  foreach t in array array['repositories', 'stops_day', 'rules_day', 'repositories_day'] loop
    execute format('create policy member on %I for select to checkpoint_member using (true)', t);
  end loop;
end $$;
create policy own_rows on stops to checkpoint_ingest
  using (machine_id = nullif(current_setting('checkpoint.machine', true), '')::int)
  with check (machine_id = nullif(current_setting('checkpoint.machine', true), '')::int);
create policy own_rows on outcomes to checkpoint_ingest
  using (machine_id = nullif(current_setting('checkpoint.machine', true), '')::int)
  with check (machine_id = nullif(current_setting('checkpoint.machine', true), '')::int);
`;
