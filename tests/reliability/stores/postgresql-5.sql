CREATE SEQUENCE public.activity
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.changes (
    table_id integer NOT NULL,
    number bigint NOT NULL
);
CREATE TABLE public.identity (
    name character varying(32) NOT NULL
);
CREATE TABLE public.lessons (
    table_id integer NOT NULL,
    seq integer NOT NULL,
    body bytea NOT NULL,
    sum character varying(32) DEFAULT ''::character varying NOT NULL
);
CREATE TABLE public.log (
    id bigint NOT NULL,
    table_id integer NOT NULL,
    seq integer NOT NULL,
    request character varying(64) NOT NULL,
    body text NOT NULL,
    device character varying(60) NOT NULL,
    at character varying(32) NOT NULL,
    sum character varying(32) DEFAULT ''::character varying NOT NULL
);
CREATE SEQUENCE public.log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.log_id_seq OWNED BY public.log.id;
CREATE TABLE public.pending (
    table_id integer NOT NULL,
    reading character varying(64) NOT NULL,
    body text NOT NULL,
    sum character varying(32) DEFAULT ''::character varying NOT NULL
);
CREATE TABLE public.photos (
    reading character varying(64) NOT NULL,
    original bytea NOT NULL,
    shown bytea,
    size integer NOT NULL,
    put_at timestamp with time zone DEFAULT now() NOT NULL,
    held_by character varying(32) NOT NULL,
    held_until timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.photos ALTER COLUMN original SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.photos ALTER COLUMN shown SET STORAGE EXTERNAL;
CREATE TABLE public.results (
    table_id integer NOT NULL,
    player integer NOT NULL,
    name character varying(60) NOT NULL,
    score integer NOT NULL,
    place integer NOT NULL,
    sum character varying(32) DEFAULT ''::character varying NOT NULL
);
CREATE TABLE public.schema_version (
    version integer NOT NULL
);
CREATE TABLE public.setups (
    table_id integer NOT NULL,
    key character varying(64) NOT NULL,
    game character varying(40) NOT NULL,
    options text NOT NULL,
    players text NOT NULL,
    keep_corrections boolean NOT NULL,
    created_at character varying(32) NOT NULL,
    sum character varying(32) NOT NULL
);
CREATE TABLE public.tables (
    id integer NOT NULL,
    key character varying(64) NOT NULL,
    code character varying(8) NOT NULL,
    game character varying(40) NOT NULL,
    options text NOT NULL,
    players text NOT NULL,
    keep_corrections boolean NOT NULL,
    created_at character varying(32) NOT NULL,
    active_at character varying(32) NOT NULL,
    finished_at character varying(32),
    active_no bigint DEFAULT 0 NOT NULL,
    next_key character varying(64),
    digest character varying(64),
    sum character varying(32) DEFAULT ''::character varying NOT NULL,
    lines integer DEFAULT 0 NOT NULL,
    head character varying(32) DEFAULT ''::character varying NOT NULL,
    lost integer
);
CREATE SEQUENCE public.tables_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.tables_id_seq OWNED BY public.tables.id;
CREATE TABLE public.visits (
    device character varying(64) NOT NULL,
    table_id integer NOT NULL,
    at character varying(32) NOT NULL,
    hidden boolean DEFAULT false NOT NULL
);
ALTER TABLE ONLY public.log ALTER COLUMN id SET DEFAULT nextval('public.log_id_seq'::regclass);
ALTER TABLE ONLY public.tables ALTER COLUMN id SET DEFAULT nextval('public.tables_id_seq'::regclass);
INSERT INTO public.alembic_version VALUES ('5');
INSERT INTO public.identity VALUES ('5a8a9dc3b8750a88d04466a518053476');
SELECT pg_catalog.setval('public.activity', 1, false);
SELECT pg_catalog.setval('public.log_id_seq', 1, false);
SELECT pg_catalog.setval('public.tables_id_seq', 1, false);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_pkey PRIMARY KEY (table_id);
ALTER TABLE ONLY public.identity
    ADD CONSTRAINT identity_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.lessons
    ADD CONSTRAINT lessons_pkey PRIMARY KEY (table_id, seq);
ALTER TABLE ONLY public.log
    ADD CONSTRAINT log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.log
    ADD CONSTRAINT log_table_id_request_key UNIQUE (table_id, request);
ALTER TABLE ONLY public.log
    ADD CONSTRAINT log_table_id_seq_key UNIQUE (table_id, seq);
ALTER TABLE ONLY public.pending
    ADD CONSTRAINT pending_pkey PRIMARY KEY (table_id);
ALTER TABLE ONLY public.photos
    ADD CONSTRAINT photos_pkey PRIMARY KEY (reading);
ALTER TABLE ONLY public.results
    ADD CONSTRAINT results_pkey PRIMARY KEY (table_id, player);
ALTER TABLE ONLY public.schema_version
    ADD CONSTRAINT schema_version_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.setups
    ADD CONSTRAINT setups_pkey PRIMARY KEY (table_id);
ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_key_key UNIQUE (key);
ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_pkey PRIMARY KEY (device, table_id);
CREATE INDEX ix_tables_active ON public.tables USING btree (active_no);
CREATE INDEX ix_tables_code ON public.tables USING btree (code);
CREATE INDEX ix_tables_next_key ON public.tables USING btree (next_key);
ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.lessons
    ADD CONSTRAINT lessons_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.log
    ADD CONSTRAINT log_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.pending
    ADD CONSTRAINT pending_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.results
    ADD CONSTRAINT results_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);
