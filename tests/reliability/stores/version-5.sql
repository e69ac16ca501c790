BEGIN TRANSACTION;
CREATE TABLE agreements (
	table_id INTEGER NOT NULL, 
	pictures BOOLEAN NOT NULL, 
	sum VARCHAR(32) NOT NULL, 
	PRIMARY KEY (table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('5.webhook_places');
CREATE TABLE deletions (
	table_id INTEGER NOT NULL, 
	device VARCHAR(64) NOT NULL, 
	at VARCHAR(32) NOT NULL, 
	lines INTEGER NOT NULL, 
	mark VARCHAR(16) NOT NULL, 
	sum VARCHAR(32) NOT NULL, 
	PRIMARY KEY (table_id)
);
CREATE TABLE deliveries (
	table_id INTEGER NOT NULL, 
	webhook VARCHAR(16) NOT NULL, 
	number INTEGER NOT NULL, 
	tries INTEGER DEFAULT 0 NOT NULL, 
	due FLOAT DEFAULT 0 NOT NULL, 
	failure VARCHAR(20) DEFAULT '' NOT NULL, 
	given_up BOOLEAN DEFAULT FALSE NOT NULL, 
	held_by VARCHAR(32), 
	held_until FLOAT, 
	origin VARCHAR(64) DEFAULT '' NOT NULL, 
	receiver VARCHAR(300) DEFAULT '' NOT NULL, 
	PRIMARY KEY (table_id, webhook), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE TABLE dice_sets (
	table_id INTEGER NOT NULL, 
	name VARCHAR(40) NOT NULL, 
	sum VARCHAR(32) NOT NULL, 
	PRIMARY KEY (table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE TABLE early_games (
	table_id INTEGER NOT NULL, 
	ended_no INTEGER NOT NULL, 
	sum VARCHAR(32) NOT NULL, 
	PRIMARY KEY (table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE TABLE identity (
	name VARCHAR(32) NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "identity" VALUES('7009e5263986ea2534faf58b39401bcc');
CREATE TABLE kept_games (
	device VARCHAR(64) NOT NULL, 
	digest VARCHAR(16) NOT NULL, 
	at VARCHAR(32) NOT NULL, 
	PRIMARY KEY (device, digest), 
	FOREIGN KEY(digest) REFERENCES own_games (digest) ON DELETE CASCADE
);
CREATE TABLE lessons (
	table_id INTEGER NOT NULL, 
	seq INTEGER NOT NULL, 
	body BLOB NOT NULL, 
	sum VARCHAR(32) DEFAULT '' NOT NULL, 
	PRIMARY KEY (table_id, seq), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE TABLE log (
	id INTEGER NOT NULL, 
	table_id INTEGER NOT NULL, 
	seq INTEGER NOT NULL, 
	request VARCHAR(64) NOT NULL, 
	body TEXT NOT NULL, 
	device VARCHAR(60) NOT NULL, 
	at VARCHAR(32) NOT NULL, 
	sum VARCHAR(32) DEFAULT '' NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (table_id, seq), 
	UNIQUE (table_id, request), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "log" VALUES(1,1,1,'request-000001','{"do": {"do": "throw", "dice": [6, 3, 6, 6, 6, 5]}}','Ada''s phone','2026-11-27T03:31:52Z','b821775af767c15c316a544459b442f9');
INSERT INTO "log" VALUES(2,1,2,'request-000002','{"undo": true}','Ada''s phone','2026-11-27T03:31:52Z','c48f48071a5aac7d385cf29758ef9c0b');
INSERT INTO "log" VALUES(3,1,3,'request-000003','{"do": {"do": "throw", "dice": [2, 6, 1, 2, 1, 3]}}','Ada''s phone','2026-11-27T03:31:52Z','ae0d55d15c9d32836ef3c2bc06744ea4');
INSERT INTO "log" VALUES(4,1,4,'request-000004','{"do": {"do": "set-aside", "dice": [1, 1]}}','Ada''s phone','2026-11-27T03:31:52Z','f5ed24a2b50aa4e2e00a4635b7a6f47e');
INSERT INTO "log" VALUES(5,1,5,'request-000005','{"do": {"do": "throw", "dice": [5, 2, 1, 6]}}','Ada''s phone','2026-11-27T03:31:52Z','361a2bfd2d87fb1dd9b8e8cdf5234fd0');
INSERT INTO "log" VALUES(6,1,6,'request-000006','{"do": {"do": "set-aside", "dice": [1]}}','Ada''s phone','2026-11-27T03:31:52Z','66812ecff3cdb0fcbfc07d52118cefee');
INSERT INTO "log" VALUES(7,1,7,'request-000007','{"do": {"do": "throw", "dice": [2, 1, 2]}}','Ada''s phone','2026-11-27T03:31:52Z','bd489d16503b660686be1c5cd43c1fb4');
INSERT INTO "log" VALUES(8,1,8,'request-000008','{"do": {"do": "set-aside", "dice": [1]}}','Ada''s phone','2026-11-27T03:31:52Z','9b98e48447d815c24654a62a473f0a23');
INSERT INTO "log" VALUES(9,1,9,'request-000009','{"correct": 1, "action": {"do": "throw", "dice": [1, 2, 2, 2, 2, 3]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:52Z','78fcb28006f02e267ce8cd34a0ed95db');
INSERT INTO "log" VALUES(10,1,10,'request-000010','{"do": {"do": "set-aside", "dice": [2, 2, 2]}}','Ada''s phone','2026-11-27T03:31:52Z','a0ac3175e5af0bd4918613dc1b0aab5d');
INSERT INTO "log" VALUES(11,1,11,'request-000011','{"do": {"do": "throw", "dice": [2, 6, 2]}}','Ada''s phone','2026-11-27T03:31:52Z','62b0d5e48fac918c38e23aec2f1238b4');
INSERT INTO "log" VALUES(12,1,12,'request-000012','{"do": {"do": "throw", "dice": [3, 1, 3, 4, 2, 2]}}','Ada''s phone','2026-11-27T03:31:52Z','dc706ab53cb2ab07f278e0af84743248');
INSERT INTO "log" VALUES(13,1,13,'request-000013','{"do": {"do": "set-aside", "dice": [1]}}','Ada''s phone','2026-11-27T03:31:52Z','57c31de4e3f7d6469df141b5d73d511a');
INSERT INTO "log" VALUES(14,1,14,'request-000014','{"do": {"do": "throw", "dice": [5, 6, 6, 3, 1]}}','Ada''s phone','2026-11-27T03:31:52Z','f2a7a5e6b1b79bcba0e947ab2135b570');
INSERT INTO "log" VALUES(15,1,15,'request-000015','{"do": {"do": "set-aside", "dice": [1]}}','Ada''s phone','2026-11-27T03:31:52Z','653aa96df44582df63003f4d01d9a393');
INSERT INTO "log" VALUES(16,1,16,'request-000016','{"do": {"do": "throw", "dice": [2, 4, 4, 6]}}','Ada''s phone','2026-11-27T03:31:52Z','969d4e5ba3dbf51e327fd0f9e6c5b318');
INSERT INTO "log" VALUES(17,1,17,'request-000017','{"do": {"do": "throw", "dice": [1, 6, 3, 4, 1, 5]}}','Ada''s phone','2026-11-27T03:31:52Z','1a40937909e280fe7c2db4fb0f8dc89a');
INSERT INTO "log" VALUES(18,1,18,'request-000018','{"do": {"do": "set-aside", "dice": [1, 5]}}','Ada''s phone','2026-11-27T03:31:52Z','5a9a5feaf92231f78ed9b984e1d005c8');
INSERT INTO "log" VALUES(19,1,19,'request-000019','{"do": {"do": "throw", "dice": [4, 1, 6, 2]}}','Ada''s phone','2026-11-27T03:31:52Z','cdc9d97d83044d3f4ded6bab1f5a6543');
INSERT INTO "log" VALUES(20,1,20,'request-000020','{"do": {"do": "set-aside", "dice": [1]}}','Ada''s phone','2026-11-27T03:31:52Z','0b6f6389a4ab567062d68dc437da6de7');
INSERT INTO "log" VALUES(21,1,21,'request-000021','{"do": {"do": "throw", "dice": [4, 3, 5]}}','Ada''s phone','2026-11-27T03:31:52Z','cad11d665c95f54269c5e5a57518dd8e');
INSERT INTO "log" VALUES(22,1,22,'request-000022','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:52Z','03feeed40bb248a964583b750049dca8');
INSERT INTO "log" VALUES(23,1,23,'request-000023','{"do": {"do": "throw", "dice": [5, 6]}}','Ada''s phone','2026-11-27T03:31:52Z','388df19aad8493717a10b94f2ba933ef');
INSERT INTO "log" VALUES(24,1,24,'request-000024','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:52Z','986e9afb7f25476c1082fb173a04f752');
INSERT INTO "log" VALUES(25,1,25,'request-000025','{"do": {"do": "throw", "dice": [4]}}','Ada''s phone','2026-11-27T03:31:52Z','46453752e011deef1a4debb62084f962');
INSERT INTO "log" VALUES(26,1,26,'request-000026','{"correct": 3, "action": {"do": "throw", "dice": [2, 3, 5]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:52Z','4be1b10c74e6d269cf6b9b164fd62546');
INSERT INTO "log" VALUES(27,1,27,'request-000027','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:52Z','1e1ef9ab2f98643d1da0e20903cdb44b');
INSERT INTO "log" VALUES(28,1,28,'request-000028','{"do": {"do": "throw", "dice": [3, 6]}}','Ada''s phone','2026-11-27T03:31:52Z','ca858c74c7c7fccff0118daedf97873d');
INSERT INTO "log" VALUES(29,1,29,'request-000029','{"do": {"do": "throw", "dice": [6, 3, 3, 2, 1, 6]}}','Ada''s phone','2026-11-27T03:31:52Z','7d88290d3df29a7653e40c7e7573b1ab');
INSERT INTO "log" VALUES(30,1,30,'request-000030','{"do": {"do": "set-aside", "dice": [1]}}','Ada''s phone','2026-11-27T03:31:52Z','b319fe34cf7d44705c4ed313544c620d');
INSERT INTO "log" VALUES(31,1,31,'request-000031','{"do": {"do": "throw", "dice": [6, 1, 1, 5, 5]}}','Ada''s phone','2026-11-27T03:31:52Z','f51fd314aebeb2e7022d3c28d50c0958');
INSERT INTO "log" VALUES(32,1,32,'request-000032','{"do": {"do": "set-aside", "dice": [1, 1, 5, 5]}}','Ada''s phone','2026-11-27T03:31:52Z','462997c68f02dcd2d318b2736508c0d3');
INSERT INTO "log" VALUES(33,1,33,'request-000033','{"do": {"do": "bank"}}','Ada''s phone','2026-11-27T03:31:52Z','4e38ba0d3c1ed4d509a6366ab48a61a6');
INSERT INTO "log" VALUES(34,1,34,'request-000034','{"do": {"do": "throw", "dice": [6, 4, 2, 1, 6, 1]}}','Ada''s phone','2026-11-27T03:31:52Z','aa0a481f6d2462261bcf5a1b85b0a943');
INSERT INTO "log" VALUES(35,1,35,'request-000035','{"do": {"do": "set-aside", "dice": [1]}}','Ada''s phone','2026-11-27T03:31:52Z','26aad18fa3e7168b22c65660f49282f1');
INSERT INTO "log" VALUES(36,1,36,'request-000036','{"do": {"do": "throw", "dice": [6, 5, 2, 6, 4]}}','Ada''s phone','2026-11-27T03:31:52Z','bd7478552acd032befdf8691c38d721d');
INSERT INTO "log" VALUES(37,1,37,'request-000037','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:52Z','54c7304aa45049f6b3f6d154c19d6f5f');
INSERT INTO "log" VALUES(38,1,38,'request-000038','{"do": {"do": "throw", "dice": [4, 3, 2, 4]}}','Ada''s phone','2026-11-27T03:31:52Z','00a2f51cd900bb16434508d581b22744');
INSERT INTO "log" VALUES(39,1,39,'request-000039','{"do": {"do": "throw", "dice": [5, 4, 4, 6, 6, 3]}}','Ada''s phone','2026-11-27T03:31:52Z','67e67044a1188878f67e7e9ea31e620f');
INSERT INTO "log" VALUES(40,1,40,'request-000040','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:52Z','9968a917eaa2b7038e64d44e0831784b');
INSERT INTO "log" VALUES(41,1,41,'request-000041','{"do": {"do": "throw", "dice": [1, 4, 5, 2, 6]}}','Ada''s phone','2026-11-27T03:31:52Z','8abee64c306d3c5cb729fc0c6c34f7e7');
INSERT INTO "log" VALUES(42,1,42,'request-000042','{"do": {"do": "set-aside", "dice": [1]}}','Ada''s phone','2026-11-27T03:31:52Z','b40b09898f423bd5b7aa0e8e62494bde');
INSERT INTO "log" VALUES(43,1,43,'request-000043','{"do": {"do": "throw", "dice": [3, 5, 5, 5]}}','Ada''s phone','2026-11-27T03:31:52Z','330dd28a6e32c2db088213d9dd410ec6');
INSERT INTO "log" VALUES(44,2,1,'request-000044','{"do": {"do": "throw", "dice": [6, 5, 6, 1, 3, 3]}}','Ada''s phone','2026-11-27T03:31:52Z','35738594ae368c3d61fb7fa00f70ca55');
INSERT INTO "log" VALUES(45,2,2,'request-000045','{"do": {"do": "throw", "dice": [4, 3, 6, 6]}}','Ada''s phone','2026-11-27T03:31:52Z','4ea8ce0492c2e3b2ed9009b273558f20');
INSERT INTO "log" VALUES(46,2,3,'request-000046','{"do": {"do": "throw", "dice": [6, 2, 5, 1, 4, 5]}}','Ada''s phone','2026-11-27T03:31:52Z','8a00ed1ec4ae0fdd30b53deb1cc3df1b');
INSERT INTO "log" VALUES(47,2,4,'request-000047','{"do": {"do": "throw", "dice": [6, 3, 4]}}','Ada''s phone','2026-11-27T03:31:52Z','65b64ffd7ac2c8ba4daed505b5a082c9');
INSERT INTO "log" VALUES(48,2,5,'request-000048','{"do": {"do": "throw", "dice": [3, 3, 6, 3, 6, 4]}}','Ada''s phone','2026-11-27T03:31:52Z','989a7067e14891c12b3f0f379e8c8c62');
INSERT INTO "log" VALUES(49,2,6,'request-000049','{"do": {"do": "throw", "dice": [6, 4, 3]}}','Ada''s phone','2026-11-27T03:31:52Z','2f69b0964bd87f1f421ee5bf57b2ed5a');
INSERT INTO "log" VALUES(50,2,7,'request-000050','{"do": {"do": "throw", "dice": [5, 2, 2, 3, 4, 3]}}','Ada''s phone','2026-11-27T03:31:52Z','7e32584187d1bfdbcd54285b0126f7f1');
INSERT INTO "log" VALUES(51,2,8,'request-000051','{"correct": 6, "action": {"do": "throw", "dice": [6, 6, 4]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:52Z','e60995b033ce89c9d4dc73529516ef8f');
INSERT INTO "log" VALUES(52,2,9,'request-000052','{"do": {"do": "throw", "dice": [5, 5, 5, 6, 4]}}','Ada''s phone','2026-11-27T03:31:52Z','fb41f8111a749ffa40b514dac95e260e');
INSERT INTO "log" VALUES(53,2,10,'request-000053','{"do": {"do": "bank"}}','Ada''s phone','2026-11-27T03:31:52Z','cc434097b670d56dddfdff194d88a2a4');
INSERT INTO "log" VALUES(54,2,11,'request-000054','{"do": {"do": "throw", "dice": [2, 2, 5, 4, 5, 6]}}','Ada''s phone','2026-11-27T03:31:52Z','eb7294e31b5a7eaad6e0ce2776d08fb8');
INSERT INTO "log" VALUES(55,2,12,'request-000055','{"do": {"do": "throw", "dice": [6, 6, 1, 4]}}','Ada''s phone','2026-11-27T03:31:52Z','5e14557df8b595b21ce19d41a852cd65');
INSERT INTO "log" VALUES(56,2,13,'request-000056','{"do": {"do": "throw", "dice": [1, 2, 1]}}','Ada''s phone','2026-11-27T03:31:52Z','97e98f28e4b1be3558119e978cad60c3');
INSERT INTO "log" VALUES(57,2,14,'request-000057','{"do": {"do": "throw", "dice": [4]}}','Ada''s phone','2026-11-27T03:31:52Z','7d3c1db75e9bb7674628c66910745502');
INSERT INTO "log" VALUES(58,2,15,'request-000058','{"do": {"do": "throw", "dice": [4, 4, 3, 4, 6, 5]}}','Ada''s phone','2026-11-27T03:31:52Z','280af662764868102f8deac89ab766c3');
INSERT INTO "log" VALUES(59,2,16,'request-000059','{"undo": true}','Ada''s phone','2026-11-27T03:31:52Z','d33d1c64f6d5478d6f5f576bf1a00f96');
INSERT INTO "log" VALUES(60,2,17,'request-000060','{"do": {"do": "throw", "dice": [2, 6, 3, 1, 3, 4]}}','Ada''s phone','2026-11-27T03:31:52Z','29f8569803e37abc2c43ead0bc936072');
INSERT INTO "log" VALUES(61,2,18,'request-000061','{"do": {"do": "throw", "dice": [1, 6, 5, 3, 1]}}','Ada''s phone','2026-11-27T03:31:52Z','c1a9f46297582676a33aa56657cb718c');
INSERT INTO "log" VALUES(62,2,19,'request-000062','{"do": {"do": "bank"}}','Ada''s phone','2026-11-27T03:31:52Z','183d4e79befa4f5e56b44621ee2c2328');
INSERT INTO "log" VALUES(63,2,20,'request-000063','{"undo": true}','Ada''s phone','2026-11-27T03:31:52Z','ceaee1f129d975f8802a235bb50e45f1');
INSERT INTO "log" VALUES(64,2,21,'request-000064','{"do": {"do": "bank"}}','Ada''s phone','2026-11-27T03:31:52Z','51c4d308a5b394b9caf1ce154853f4d6');
INSERT INTO "log" VALUES(65,2,22,'request-000065','{"do": {"do": "throw", "dice": [3, 2, 4, 4, 5, 6]}}','Ada''s phone','2026-11-27T03:31:52Z','7008716082c66496d90cf722512759e9');
INSERT INTO "log" VALUES(66,2,23,'request-000066','{"do": {"do": "throw", "dice": [2, 2, 5, 4, 5]}}','Ada''s phone','2026-11-27T03:31:52Z','a283612b9c8f7f82942997def90ef08f');
INSERT INTO "log" VALUES(67,2,24,'request-000067','{"do": {"do": "throw", "dice": [2, 5, 1]}}','Ada''s phone','2026-11-27T03:31:52Z','d27dfea9aedc730927a2dd3194e4a0a6');
INSERT INTO "log" VALUES(68,2,25,'request-000068','{"do": {"do": "throw", "dice": [4]}}','Ada''s phone','2026-11-27T03:31:52Z','ff34bee190724a429d5ecda90b73aa81');
INSERT INTO "log" VALUES(69,2,26,'request-000069','{"do": {"do": "throw", "dice": [3, 6, 5, 4, 4, 4]}}','Ada''s phone','2026-11-27T03:31:52Z','65408236b8b833dbc9e8b51ba0137d6b');
INSERT INTO "log" VALUES(70,2,27,'request-000070','{"correct": 18, "action": {"do": "throw", "dice": [3, 4, 6, 4, 4]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:52Z','04903922af1e28b40dd338ec71bd3aca');
INSERT INTO "log" VALUES(71,2,28,'request-000071','{"do": {"do": "throw", "dice": [5, 5]}}','Ada''s phone','2026-11-27T03:31:52Z','e1c72816f46878bd5d8dcdb8adeccfa0');
INSERT INTO "log" VALUES(72,2,29,'request-000072','{"do": {"do": "bank"}}','Ada''s phone','2026-11-27T03:31:52Z','e5757355399ead67ed4a9f98fa8b612b');
INSERT INTO "log" VALUES(73,2,30,'request-000073','{"do": {"do": "throw", "dice": [1, 3, 3, 4, 3, 2]}}','Ada''s phone','2026-11-27T03:31:52Z','9793f81708564a062ff7a9c0a1f05033');
INSERT INTO "log" VALUES(74,2,31,'request-000074','{"do": {"do": "throw", "dice": [6, 5]}}','Ada''s phone','2026-11-27T03:31:52Z','3cf956a5fc4df5f96995d040f77773a7');
INSERT INTO "log" VALUES(75,2,32,'request-000075','{"do": {"do": "throw", "dice": [3]}}','Ada''s phone','2026-11-27T03:31:52Z','6be6af7d5eebaa7151ecd92b0a415941');
INSERT INTO "log" VALUES(76,2,33,'request-000076','{"undo": true}','Ada''s phone','2026-11-27T03:31:52Z','71e079c9118de6eabebdc2b0bdb67496');
INSERT INTO "log" VALUES(77,2,34,'request-000077','{"do": {"do": "throw", "dice": [4]}}','Ada''s phone','2026-11-27T03:31:52Z','4d62c6cd66ac9fb1d11e177b9f9d33dc');
INSERT INTO "log" VALUES(78,2,35,'request-000078','{"undo": true}','Ada''s phone','2026-11-27T03:31:52Z','8ba55a2a2037bfe9f283b042d62447b4');
INSERT INTO "log" VALUES(79,2,36,'request-000079','{"do": {"do": "bank"}}','Ada''s phone','2026-11-27T03:31:52Z','e35a5fd0359ab1350a9713da09429f9c');
INSERT INTO "log" VALUES(80,2,37,'request-000080','{"do": {"do": "throw", "dice": [1, 2, 4, 3, 2, 6]}}','Ada''s phone','2026-11-27T03:31:52Z','bc3a2bbf9a56dc0b9354915d03b70c52');
INSERT INTO "log" VALUES(81,2,38,'request-000081','{"do": {"do": "throw", "dice": [4, 5, 4, 5, 6]}}','Ada''s phone','2026-11-27T03:31:52Z','667b58c232ab852fb3af434c8c21bfe2');
INSERT INTO "log" VALUES(82,2,39,'request-000082','{"do": {"do": "throw", "dice": [1, 2, 3]}}','Ada''s phone','2026-11-27T03:31:52Z','8bdd2e38539390e3c94faf57fb6dcbbd');
INSERT INTO "log" VALUES(83,2,40,'request-000083','{"do": {"do": "throw", "dice": [5, 3]}}','Ada''s phone','2026-11-27T03:31:52Z','346b3c60f3610d7be5016d8f6b997de5');
INSERT INTO "log" VALUES(84,2,41,'request-000084','{"do": {"do": "throw", "dice": [4]}}','Ada''s phone','2026-11-27T03:31:52Z','d496aceaad8df306bd0f416a02a060aa');
INSERT INTO "log" VALUES(85,2,42,'request-000085','{"do": {"do": "throw", "dice": [1, 1, 3, 5, 4, 6]}}','Ada''s phone','2026-11-27T03:31:52Z','896afac1dfee5fb30b80c2a5163c12ca');
INSERT INTO "log" VALUES(86,2,43,'request-000086','{"do": {"do": "throw", "dice": [1, 4, 4]}}','Ada''s phone','2026-11-27T03:31:52Z','e255b2b4e7522dbfd85c303295601900');
INSERT INTO "log" VALUES(87,2,44,'request-000087','{"do": {"do": "bank"}}','Ada''s phone','2026-11-27T03:31:52Z','ada44e446d17c2393180229cce4087c6');
INSERT INTO "log" VALUES(88,2,45,'request-000088','{"do": {"do": "throw", "dice": [4, 4, 6, 6, 2, 3]}}','Ada''s phone','2026-11-27T03:31:52Z','e0530b2a966fc4cfeea732b1c42e1896');
INSERT INTO "log" VALUES(89,2,46,'request-000089','{"do": {"do": "throw", "dice": [3, 1, 6, 4, 5, 3]}}','Ada''s phone','2026-11-27T03:31:52Z','bc3024ccd4b7e4efc141a131f6dd0f31');
INSERT INTO "log" VALUES(90,3,1,'request-000090','{"do": {"do": "pass"}}','Ada''s phone','2026-11-27T03:31:52Z','e9133222953f4277a7889f63265ad102');
INSERT INTO "log" VALUES(91,3,2,'request-000091','{"do": {"do": "throw", "dice": [2, 4, 6, 5, 4, 3]}}','Ada''s phone','2026-11-27T03:31:52Z','cf2fc8409e8cc23dbd73b9a7ff04fda7');
INSERT INTO "log" VALUES(92,3,3,'request-000092','{"do": {"do": "pass"}}','Ada''s phone','2026-11-27T03:31:52Z','eda01b83313c769e54e3a8313466196f');
INSERT INTO "log" VALUES(93,3,4,'request-000093','{"do": {"do": "throw", "dice": [1, 6, 2, 3, 1, 1]}}','Ada''s phone','2026-11-27T03:31:52Z','1182682955c4d874cc5c930945f54231');
INSERT INTO "log" VALUES(94,3,5,'request-000094','{"do": {"do": "score", "category": "ones"}}','Ada''s phone','2026-11-27T03:31:52Z','eeb8598fdf4293a1056d12f6372522aa');
INSERT INTO "log" VALUES(95,3,6,'request-000095','{"do": {"do": "pass"}}','Ada''s phone','2026-11-27T03:31:52Z','bda31f428e49c0f17970bc3caa19a867');
INSERT INTO "log" VALUES(96,3,7,'request-000096','{"do": {"do": "pass"}}','Ada''s phone','2026-11-27T03:31:53Z','d918092a07a6ec8ef336eb296fe6d29e');
INSERT INTO "log" VALUES(97,3,8,'request-000097','{"correct": 2, "action": {"do": "throw", "dice": [1, 1, 2, 5, 6, 1]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:53Z','21d249d2803d41f3fc78af4e316a6554');
INSERT INTO "log" VALUES(98,3,9,'request-000098','{"do": {"do": "throw", "dice": [3, 6, 4, 2, 2, 5]}}','Ada''s phone','2026-11-27T03:31:53Z','86a5cbdc8b13cd2b1e99796979ff4fb7');
INSERT INTO "log" VALUES(99,3,10,'request-000099','{"do": {"do": "keep", "dice": []}}','Ada''s phone','2026-11-27T03:31:53Z','27dbd23cf612025f5b90a3f76dccf04b');
INSERT INTO "log" VALUES(100,3,11,'request-000100','{"do": {"do": "throw", "dice": [5, 1, 6, 4, 6, 1]}}','Ada''s phone','2026-11-27T03:31:53Z','26e36fc88740843d9863eb5f05b9686a');
INSERT INTO "log" VALUES(101,3,12,'request-000101','{"do": {"do": "keep", "dice": [1, 1, 4, 5, 6]}}','Ada''s phone','2026-11-27T03:31:53Z','aa6e34d0bdbc7f620eec687a9c21a825');
INSERT INTO "log" VALUES(102,3,13,'request-000102','{"do": {"do": "throw", "dice": [1]}}','Ada''s phone','2026-11-27T03:31:53Z','7f3618ba2b991d259166c6bbb42b1578');
INSERT INTO "log" VALUES(103,3,14,'request-000103','{"do": {"do": "keep", "dice": [1, 1, 1, 4, 5]}}','Ada''s phone','2026-11-27T03:31:53Z','fc273cb5b44f648262e8e5f435d4f5dc');
INSERT INTO "log" VALUES(104,3,15,'request-000104','{"do": {"do": "throw", "dice": [3]}}','Ada''s phone','2026-11-27T03:31:53Z','907b7b59c4780f027d18926e25c53bd4');
INSERT INTO "log" VALUES(105,3,16,'request-000105','{"do": {"do": "keep", "dice": []}}','Ada''s phone','2026-11-27T03:31:53Z','0e41117d26c39a50b339370a420954eb');
INSERT INTO "log" VALUES(106,3,17,'request-000106','{"do": {"do": "throw", "dice": [2, 5, 6, 6, 5, 3]}}','Ada''s phone','2026-11-27T03:31:53Z','0b9ed411232702e92db05797d2b44ef6');
INSERT INTO "log" VALUES(107,3,18,'request-000107','{"do": {"do": "keep", "dice": [2, 3]}}','Ada''s phone','2026-11-27T03:31:53Z','7f177731caa1d53c8e6b222febb4ce0e');
INSERT INTO "log" VALUES(108,3,19,'request-000108','{"undo": true}','Ada''s phone','2026-11-27T03:31:53Z','fc923ff38684320149fbafc3f4d778af');
INSERT INTO "log" VALUES(109,3,20,'request-000109','{"do": {"do": "keep", "dice": [2, 3]}}','Ada''s phone','2026-11-27T03:31:53Z','3d8890b2dba950575375ba89e95094d5');
INSERT INTO "log" VALUES(110,3,21,'request-000110','{"do": {"do": "throw", "dice": [5, 2, 2, 3]}}','Ada''s phone','2026-11-27T03:31:53Z','369609d7e3d7e862220188c30fab4b99');
INSERT INTO "log" VALUES(111,3,22,'request-000111','{"do": {"do": "pass"}}','Ada''s phone','2026-11-27T03:31:53Z','0c52418eb3ee5139e1aaf3a75ae9a1a7');
INSERT INTO "log" VALUES(112,3,23,'request-000112','{"do": {"do": "throw", "dice": [6, 3, 1, 5, 6, 1]}}','Ada''s phone','2026-11-27T03:31:53Z','56e0a4d68eefc0ca5557217387d11a62');
INSERT INTO "log" VALUES(113,3,24,'request-000113','{"undo": true}','Ada''s phone','2026-11-27T03:31:53Z','fba0dd85f69934712219a80edbbef9f5');
INSERT INTO "log" VALUES(114,3,25,'request-000114','{"do": {"do": "throw", "dice": [5, 5, 4, 2, 4, 4]}}','Ada''s phone','2026-11-27T03:31:53Z','256bb168cb12c47d7fa989de453b6286');
INSERT INTO "log" VALUES(115,3,26,'request-000115','{"do": {"do": "keep", "dice": []}}','Ada''s phone','2026-11-27T03:31:53Z','0c27af5dc609e04524da0a1f0ac97b39');
INSERT INTO "log" VALUES(116,3,27,'request-000116','{"correct": 2, "action": {"do": "throw", "dice": [5, 6, 4, 1, 2, 4]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:53Z','3f0caade6fe5fe3108e27d758d4aee05');
INSERT INTO "log" VALUES(117,3,28,'request-000117','{"do": {"do": "throw", "dice": [6, 1, 1, 6, 4, 2]}}','Ada''s phone','2026-11-27T03:31:53Z','4c17ca76f4d53c9b8dd5944c60403c81');
INSERT INTO "log" VALUES(118,3,29,'request-000118','{"do": {"do": "pass"}}','Ada''s phone','2026-11-27T03:31:53Z','9762af8033cf74a53b5002a5ee288582');
INSERT INTO "log" VALUES(119,3,30,'request-000119','{"do": {"do": "throw", "dice": [3, 3, 5, 6, 3, 4]}}','Ada''s phone','2026-11-27T03:31:53Z','3e222dc13c699a298eb52e65ac3dcc1d');
INSERT INTO "log" VALUES(120,3,31,'request-000120','{"do": {"do": "pass"}}','Ada''s phone','2026-11-27T03:31:53Z','20530f2e5edf7763b49da7a11ea2b0fa');
INSERT INTO "log" VALUES(121,3,32,'request-000121','{"do": {"do": "pass"}}','Ada''s phone','2026-11-27T03:31:53Z','aae4326468b05af7070daebac91a86f3');
INSERT INTO "log" VALUES(122,3,33,'request-000122','{"do": {"do": "pass"}}','Ada''s phone','2026-11-27T03:31:53Z','584d6a8286ade4dad1d4022d9ad32a49');
INSERT INTO "log" VALUES(123,3,34,'request-000123','{"do": {"do": "pass"}}','Ada''s phone','2026-11-27T03:31:53Z','4dc647a474389e326207de40a630999e');
INSERT INTO "log" VALUES(124,3,35,'request-000124','{"do": {"do": "throw", "dice": [6, 2, 4, 1, 1, 1]}}','Ada''s phone','2026-11-27T03:31:53Z','1f684d2348d4d9aa7fb249d56adc3465');
INSERT INTO "log" VALUES(125,3,36,'request-000125','{"undo": true}','Ada''s phone','2026-11-27T03:31:53Z','2c9b4c26a8401789b836fb48e65da6aa');
INSERT INTO "log" VALUES(126,3,37,'request-000126','{"do": {"do": "throw", "dice": [2, 1, 4, 4, 6, 3]}}','Ada''s phone','2026-11-27T03:31:53Z','bc8b4958cc64bb888dccc39425853683');
INSERT INTO "log" VALUES(127,3,38,'request-000127','{"undo": true}','Ada''s phone','2026-11-27T03:31:53Z','ee115e876fac98d994b92effecbc2628');
INSERT INTO "log" VALUES(128,3,39,'request-000128','{"do": {"do": "pass"}}','Ada''s phone','2026-11-27T03:31:53Z','36f9b237a5e3a4ca8a1780dcd8750b9b');
INSERT INTO "log" VALUES(129,3,40,'request-000129','{"do": {"do": "pass"}}','Ada''s phone','2026-11-27T03:31:53Z','66593351d4911b803545539cf2931cf2');
INSERT INTO "log" VALUES(130,3,41,'request-000130','{"do": {"do": "pass"}}','Ada''s phone','2026-11-27T03:31:53Z','a80c9d8f9187516d496aacca3004b642');
INSERT INTO "log" VALUES(131,3,42,'request-000131','{"undo": true}','Ada''s phone','2026-11-27T03:31:53Z','dfc6210eb2c738a253b849288abb67dc');
INSERT INTO "log" VALUES(132,3,43,'request-000132','{"do": {"do": "throw", "dice": [6, 2, 1, 3, 4, 4]}}','Ada''s phone','2026-11-27T03:31:53Z','734fdd88274cef25e6b45b2404e3e1de');
INSERT INTO "log" VALUES(133,3,44,'request-000133','{"do": {"do": "pass"}}','Ada''s phone','2026-11-27T03:31:53Z','69d164ebabea8c6e2d27df59e3906b05');
INSERT INTO "log" VALUES(134,3,45,'request-000134','{"do": {"do": "throw", "dice": [3, 6, 2, 1, 4, 1]}}','Ada''s phone','2026-11-27T03:31:53Z','96aac030353dcec0bedaafc6fc26db42');
INSERT INTO "log" VALUES(135,3,46,'request-000135','{"do": {"do": "pass"}}','Ada''s phone','2026-11-27T03:31:53Z','77ccdc979c0dfb8be59ef13ec68215bd');
INSERT INTO "log" VALUES(136,3,47,'request-000136','{"do": {"do": "throw", "dice": [6, 1, 6, 4, 4, 2]}}','Ada''s phone','2026-11-27T03:31:53Z','1854c5123ca638943a631e8496ec93fa');
INSERT INTO "log" VALUES(137,4,1,'request-000137','{"do": {"do": "throw", "dice": [3, 4, 6, 2, 6, 2]}}','Ada''s phone','2026-11-27T03:31:53Z','08c001e827e37acf64560b3b3f160ec9');
INSERT INTO "log" VALUES(138,4,2,'request-000138','{"undo": true}','Ada''s phone','2026-11-27T03:31:53Z','64e93ff65a79174396116ad781c670af');
INSERT INTO "log" VALUES(139,4,3,'request-000139','{"do": {"do": "throw", "dice": [5, 2, 6, 1, 5, 4]}}','Ada''s phone','2026-11-27T03:31:53Z','8214f0622efcc2227f4deea91f736481');
INSERT INTO "log" VALUES(140,4,4,'request-000140','{"do": {"do": "throw", "dice": [6, 3, 2, 4, 3, 3]}}','Ada''s phone','2026-11-27T03:31:53Z','5b802ecad9dc734a925b57068fe486de');
INSERT INTO "log" VALUES(141,4,5,'request-000141','{"undo": true}','Ada''s phone','2026-11-27T03:31:53Z','1979ba8472625a6b320a901f97fbdc96');
INSERT INTO "log" VALUES(142,4,6,'request-000142','{"do": {"do": "throw", "dice": [2, 2, 2, 6, 2, 1]}}','Ada''s phone','2026-11-27T03:31:53Z','c23ec51c5b9244f6ea69a2b9b60f37f5');
INSERT INTO "log" VALUES(143,4,7,'request-000143','{"do": {"do": "throw", "dice": [6, 3, 1, 4, 1, 4]}}','Ada''s phone','2026-11-27T03:31:53Z','eda94a33cbf142f318330bef61aff2b2');
INSERT INTO "log" VALUES(144,4,8,'request-000144','{"do": {"do": "throw", "dice": [2, 1, 1, 5, 5, 5]}}','Ada''s phone','2026-11-27T03:31:53Z','0f4313732408d5dc0e1a96f887ce611e');
INSERT INTO "log" VALUES(145,4,9,'request-000145','{"do": {"do": "throw", "dice": [6, 1, 2, 4, 1, 4]}}','Ada''s phone','2026-11-27T03:31:53Z','e1d166396bfd7e531f2bf81c02f6c42d');
INSERT INTO "log" VALUES(146,4,10,'request-000146','{"undo": true}','Ada''s phone','2026-11-27T03:31:53Z','b7f52eb66f7ea8a668657803e8908940');
INSERT INTO "log" VALUES(147,4,11,'request-000147','{"correct": 2, "action": {"do": "throw", "dice": [6, 1, 4, 4, 1, 1]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:53Z','a3dea1c63a093a69bf9a9bf6a807ea16');
INSERT INTO "log" VALUES(148,4,12,'request-000148','{"do": {"do": "throw", "dice": [4, 4, 3, 6, 1, 1]}}','Ada''s phone','2026-11-27T03:31:53Z','c78775254e7eb99627b91c5f15b8cc86');
INSERT INTO "log" VALUES(149,4,13,'request-000149','{"do": {"do": "throw", "dice": [2, 6, 5, 6, 4, 2]}}','Ada''s phone','2026-11-27T03:31:53Z','303bd44569ad6f5f77b7fd51a551e5f6');
INSERT INTO "log" VALUES(150,4,14,'request-000150','{"do": {"do": "throw", "dice": [3, 1, 1, 5, 2, 5]}}','Ada''s phone','2026-11-27T03:31:53Z','0b5964d1d8aba099e1521c96f770b614');
INSERT INTO "log" VALUES(151,4,15,'request-000151','{"undo": true}','Ada''s phone','2026-11-27T03:31:53Z','68f214de41bc065e22092009fb0131d9');
INSERT INTO "log" VALUES(152,4,16,'request-000152','{"do": {"do": "throw", "dice": [5, 1, 4, 5, 3, 4]}}','Ada''s phone','2026-11-27T03:31:53Z','1c7a4ebb7bdfe1d8ab492d506e04d059');
INSERT INTO "log" VALUES(153,4,17,'request-000153','{"do": {"do": "throw", "dice": [5, 6, 2, 6, 1, 3]}}','Ada''s phone','2026-11-27T03:31:53Z','66122d8be1be69a1e071616b844a8f56');
INSERT INTO "log" VALUES(154,4,18,'request-000154','{"do": {"do": "throw", "dice": [5, 1, 2, 3, 4, 1]}}','Ada''s phone','2026-11-27T03:31:53Z','ca1ed1dfe44cc8826d76c71101a5ab99');
INSERT INTO "log" VALUES(155,4,19,'request-000155','{"do": {"do": "throw", "dice": [4, 3, 2, 2, 5, 1]}}','Ada''s phone','2026-11-27T03:31:53Z','2fc0c06f7dc2332785ea494061358abe');
INSERT INTO "log" VALUES(156,4,20,'request-000156','{"do": {"do": "throw", "dice": [4, 5, 6, 2, 3, 1]}}','Ada''s phone','2026-11-27T03:31:53Z','aff9051e45e413b82342740c1bbbc64d');
INSERT INTO "log" VALUES(157,4,21,'request-000157','{"do": {"do": "throw", "dice": [1, 6, 2, 3, 3, 1]}}','Ada''s phone','2026-11-27T03:31:53Z','9b2de11f686526c26080b40c3ec32a14');
INSERT INTO "log" VALUES(158,4,22,'request-000158','{"undo": true}','Ada''s phone','2026-11-27T03:31:53Z','484c8e12e8ad203ebd4ce019ba163ca7');
INSERT INTO "log" VALUES(159,4,23,'request-000159','{"do": {"do": "throw", "dice": [4, 5, 1, 3, 6, 2]}}','Ada''s phone','2026-11-27T03:31:53Z','504c563d889038fe13252c9064659ad9');
INSERT INTO "log" VALUES(160,4,24,'request-000160','{"do": {"do": "throw", "dice": [2, 6, 6, 1, 6, 1]}}','Ada''s phone','2026-11-27T03:31:53Z','3490d52f5db8a746007c92c092beecea');
INSERT INTO "log" VALUES(161,4,25,'request-000161','{"do": {"do": "throw", "dice": [1, 4, 5, 2, 3, 1]}}','Ada''s phone','2026-11-27T03:31:53Z','d566af5bb0a1bcdf1ae3cf27ce295c6c');
INSERT INTO "log" VALUES(162,4,26,'request-000162','{"do": {"do": "throw", "dice": [3, 4, 6, 3, 3, 1]}}','Ada''s phone','2026-11-27T03:31:53Z','16923e19c0cb41a12047e20efdd84755');
INSERT INTO "log" VALUES(163,4,27,'request-000163','{"undo": true}','Ada''s phone','2026-11-27T03:31:53Z','d9f5a711fe2d92c22414c480770d8b01');
INSERT INTO "log" VALUES(164,4,28,'request-000164','{"do": {"do": "throw", "dice": [1, 1, 1, 2, 3, 4]}}','Ada''s phone','2026-11-27T03:31:53Z','b12acadf1007bed65df20e77215e8151');
INSERT INTO "log" VALUES(165,4,29,'request-000165','{"do": {"do": "throw", "dice": [2, 5, 4, 2, 3, 2]}}','Ada''s phone','2026-11-27T03:31:53Z','052689fee3925d03972eba461568ffab');
INSERT INTO "log" VALUES(166,4,30,'request-000166','{"do": {"do": "throw", "dice": [2, 5, 5, 2, 6, 1]}}','Ada''s phone','2026-11-27T03:31:53Z','ef492963221c53b05d8e493958d9b7c8');
INSERT INTO "log" VALUES(167,4,31,'request-000167','{"correct": 6, "action": {"do": "throw", "dice": [6, 6, 2, 4, 4, 4]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:53Z','a5246f9d7e85e519dfe4c37b04e56923');
INSERT INTO "log" VALUES(168,4,32,'request-000168','{"do": {"do": "throw", "dice": [3, 3, 4, 2, 4, 5]}}','Ada''s phone','2026-11-27T03:31:53Z','3bbd5fab2982d3275ea64bbf0a985a42');
INSERT INTO "log" VALUES(169,4,33,'request-000169','{"do": {"do": "throw", "dice": [1, 6, 2, 5, 4, 4]}}','Ada''s phone','2026-11-27T03:31:53Z','f3bbca845a3ed78f8e2c69be028becda');
INSERT INTO "log" VALUES(170,4,34,'request-000170','{"do": {"do": "throw", "dice": [2, 4, 6, 1, 2, 1]}}','Ada''s phone','2026-11-27T03:31:53Z','8dcc688e8217dde73c1f3290d40b83ea');
INSERT INTO "log" VALUES(171,4,35,'request-000171','{"undo": true}','Ada''s phone','2026-11-27T03:31:53Z','dd65ab076c008f1992c320c12044f947');
INSERT INTO "log" VALUES(172,4,36,'request-000172','{"do": {"do": "throw", "dice": [4, 6, 3, 4, 4, 2]}}','Ada''s phone','2026-11-27T03:31:53Z','529239fe11733e88ff07d85f63c0985b');
INSERT INTO "log" VALUES(173,4,37,'request-000173','{"do": {"do": "throw", "dice": [3, 5, 5, 3, 2, 3]}}','Ada''s phone','2026-11-27T03:31:53Z','94cf438ab00fc0a34d2db3cc7e6cad6f');
INSERT INTO "log" VALUES(174,4,38,'request-000174','{"do": {"do": "throw", "dice": [6, 1, 5, 4, 4, 3]}}','Ada''s phone','2026-11-27T03:31:53Z','ce4ba411ec28473156025c97fec064de');
INSERT INTO "log" VALUES(175,4,39,'request-000175','{"do": {"do": "throw", "dice": [4, 4, 1, 1, 2, 4]}}','Ada''s phone','2026-11-27T03:31:53Z','d39f14ba383cbb12eecf32a1693ee393');
INSERT INTO "log" VALUES(176,4,40,'request-000176','{"undo": true}','Ada''s phone','2026-11-27T03:31:53Z','ca95d85d4029263b5fa53c0cfee04811');
INSERT INTO "log" VALUES(177,4,41,'request-000177','{"do": {"do": "throw", "dice": [2, 3, 4, 6, 4, 5]}}','Ada''s phone','2026-11-27T03:31:53Z','83a3ccff973ee8973384ccc0ec1d0b72');
INSERT INTO "log" VALUES(178,4,42,'request-000178','{"do": {"do": "throw", "dice": [4, 6, 1, 1, 5, 5]}}','Ada''s phone','2026-11-27T03:31:53Z','5d8647d3991c5e67f6938e3ab0bafd75');
INSERT INTO "log" VALUES(179,4,43,'request-000179','{"do": {"do": "throw", "dice": [4, 1, 3, 6, 1, 5]}}','Ada''s phone','2026-11-27T03:31:53Z','a119fd0bf9ac0152cfbd165d0ce77827');
INSERT INTO "log" VALUES(180,4,44,'request-000180','{"do": {"do": "throw", "dice": [5, 4, 5, 6, 6, 4]}}','Ada''s phone','2026-11-27T03:31:53Z','dfee29c322ea64f45927f765c3f75464');
INSERT INTO "log" VALUES(181,4,45,'request-000181','{"do": {"do": "throw", "dice": [5, 2, 4, 3, 5, 1]}}','Ada''s phone','2026-11-27T03:31:53Z','9814b4527f14a18c7a207a4a68a0d58f');
INSERT INTO "log" VALUES(182,5,1,'request-000182','{"do": {"do": "throw", "dice": [3, 3]}}','Ada''s phone','2026-11-27T03:31:53Z','275f91402c30ff1d47bdb3a0b96627b5');
INSERT INTO "log" VALUES(183,5,2,'request-000183','{"undo": true}','Ada''s phone','2026-11-27T03:31:53Z','12cf1fb1bfe6410c3fb41661da77bbe1');
INSERT INTO "log" VALUES(184,5,3,'request-000184','{"do": {"do": "throw", "dice": [3, 5]}}','Ada''s phone','2026-11-27T03:31:53Z','25dcacb63a3a95fea48356b8dcbefb51');
INSERT INTO "log" VALUES(185,5,4,'request-000185','{"do": {"do": "throw", "dice": [3, 1, 3, 6, 2, 1]}}','Ada''s phone','2026-11-27T03:31:53Z','634ffc2441e050acfa345ad7fc42112c');
INSERT INTO "log" VALUES(186,5,5,'request-000186','{"undo": true}','Ada''s phone','2026-11-27T03:31:53Z','11e9a5115f727b647473a681b1ad8ac3');
INSERT INTO "log" VALUES(187,5,6,'request-000187','{"do": {"do": "throw", "dice": [6, 3, 3, 6, 6, 5]}}','Ada''s phone','2026-11-27T03:31:53Z','e76cf8d0d3c4622d840a982cb8993edf');
INSERT INTO "log" VALUES(188,5,7,'request-000188','{"do": {"do": "throw", "dice": [4, 5, 1]}}','Ada''s phone','2026-11-27T03:31:53Z','0ccbba428baf31b32994467657276dc8');
INSERT INTO "log" VALUES(189,5,8,'request-000189','{"do": {"do": "throw", "dice": [3, 5]}}','Ada''s phone','2026-11-27T03:31:53Z','aca883aabb9a5db03e7983a609eec0df');
INSERT INTO "log" VALUES(190,5,9,'request-000190','{"do": {"do": "throw", "dice": [6, 4, 4, 2, 6, 5]}}','Ada''s phone','2026-11-27T03:31:53Z','cd85da5dc01e5c4de5b83a0a5f8a1218');
INSERT INTO "log" VALUES(191,5,10,'request-000191','{"correct": 5, "action": {"do": "throw", "dice": [3, 4, 3, 1, 6, 5]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:53Z','51f2c0bfe114b04c217662800f7e6012');
INSERT INTO "log" VALUES(192,5,11,'request-000192','{"do": {"do": "throw", "dice": [2, 1, 2]}}','Ada''s phone','2026-11-27T03:31:53Z','81990007531af1da524fe74f95952272');
INSERT INTO "log" VALUES(193,5,12,'request-000193','{"do": {"do": "throw", "dice": [5, 1, 2]}}','Ada''s phone','2026-11-27T03:31:53Z','652859cace2517fa3906238ef7d32688');
INSERT INTO "log" VALUES(194,5,13,'request-000194','{"undo": true}','Ada''s phone','2026-11-27T03:31:53Z','237adc0c850342287bf0cf70cb8afba7');
INSERT INTO "log" VALUES(195,5,14,'request-000195','{"do": {"do": "throw", "dice": [2, 2, 6]}}','Ada''s phone','2026-11-27T03:31:53Z','964c53cfe1fb36894f60ac6e5f525c0f');
INSERT INTO "log" VALUES(196,5,15,'request-000196','{"undo": true}','Ada''s phone','2026-11-27T03:31:53Z','7a26fa8ad642a5e9569a9091b406cda3');
INSERT INTO "log" VALUES(197,5,16,'request-000197','{"do": {"do": "throw", "dice": [4, 2, 4]}}','Ada''s phone','2026-11-27T03:31:53Z','528b8732ac63d70297e1bf027eb4c4a3');
INSERT INTO "log" VALUES(198,5,17,'request-000198','{"do": {"do": "throw", "dice": [3, 4, 3]}}','Ada''s phone','2026-11-27T03:31:53Z','3cc069e90a81624d9f79a17138c94ce5');
INSERT INTO "log" VALUES(199,5,18,'request-000199','{"undo": true}','Ada''s phone','2026-11-27T03:31:53Z','4544aa42f89d4f4de50e562282bc4105');
INSERT INTO "log" VALUES(200,5,19,'request-000200','{"do": {"do": "throw", "dice": [2, 4, 1]}}','Ada''s phone','2026-11-27T03:31:53Z','baf162abed48c4dd4e6a3f58f9343d3c');
INSERT INTO "log" VALUES(201,5,20,'request-000201','{"do": {"do": "throw", "dice": [5, 5, 5]}}','Ada''s phone','2026-11-27T03:31:53Z','dfcb2d1e286d6383264a3b8dbf9e780e');
INSERT INTO "log" VALUES(202,6,1,'request-000202','{"do": {"do": "throw", "dice": [2, 3, 5, 1, 6]}}','Ada''s phone','2026-11-27T03:31:53Z','0a88c0fe60bc74ba4d881c4ea7eb9bff');
INSERT INTO "log" VALUES(203,6,2,'request-000203','{"do": {"do": "score", "category": "sixes"}}','Ada''s phone','2026-11-27T03:31:53Z','56501f1dd219464db339418cbc83617d');
INSERT INTO "log" VALUES(204,6,3,'request-000204','{"do": {"do": "throw", "dice": [4, 2, 5, 1, 3]}}','Ada''s phone','2026-11-27T03:31:54Z','79a89d7a71963b6f6dfe5b710972cf5a');
INSERT INTO "log" VALUES(205,6,4,'request-000205','{"do": {"do": "score", "category": "full"}}','Ada''s phone','2026-11-27T03:31:54Z','246c896d076162ec6414f8493a64e06e');
INSERT INTO "log" VALUES(206,6,5,'request-000206','{"do": {"do": "throw", "dice": [6, 5, 4, 1, 1]}}','Ada''s phone','2026-11-27T03:31:54Z','0ce49c8c5ab2271efa466999ed9c1c05');
INSERT INTO "log" VALUES(207,6,6,'request-000207','{"do": {"do": "score", "category": "threes"}}','Ada''s phone','2026-11-27T03:31:54Z','01056aa2024f7f79618345560f1494a3');
INSERT INTO "log" VALUES(208,6,7,'request-000208','{"do": {"do": "throw", "dice": [2, 3, 5, 1, 5]}}','Ada''s phone','2026-11-27T03:31:54Z','3df1ebd983c9191dd22cfc9675fe998b');
INSERT INTO "log" VALUES(209,6,8,'request-000209','{"correct": 5, "action": {"do": "throw", "dice": [2, 6, 5, 5, 6]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:54Z','2c10c8fb2fb5f47145dd21106ee9d5e0');
INSERT INTO "log" VALUES(210,6,9,'request-000210','{"do": {"do": "score", "category": "twos"}}','Ada''s phone','2026-11-27T03:31:54Z','cee84a805a7c083777ee2a1b21e6b2ea');
INSERT INTO "log" VALUES(211,6,10,'request-000211','{"do": {"do": "throw", "dice": [2, 2, 3, 3, 2]}}','Ada''s phone','2026-11-27T03:31:54Z','7dedb37610f4122867aabb57e577e65e');
INSERT INTO "log" VALUES(212,6,11,'request-000212','{"do": {"do": "score", "category": "fours"}}','Ada''s phone','2026-11-27T03:31:54Z','a5afc7cf02f9ae6212b163765aa605ab');
INSERT INTO "log" VALUES(213,6,12,'request-000213','{"do": {"do": "throw", "dice": [4, 1, 1, 5, 3]}}','Ada''s phone','2026-11-27T03:31:54Z','68870882cb7db7c20a97ffe5414cadcf');
INSERT INTO "log" VALUES(214,6,13,'request-000214','{"do": {"do": "score", "category": "ones"}}','Ada''s phone','2026-11-27T03:31:54Z','995cc1fa20e86028f2bce4cb6608f83d');
INSERT INTO "log" VALUES(215,6,14,'request-000215','{"do": {"do": "throw", "dice": [6, 1, 4, 6, 6]}}','Ada''s phone','2026-11-27T03:31:54Z','e0e29ca8ac8bce5eed90fe2914a729f0');
INSERT INTO "log" VALUES(216,6,15,'request-000216','{"do": {"do": "score", "category": "three"}}','Ada''s phone','2026-11-27T03:31:54Z','163ac8aa2a6f53898105dc3c594efa6d');
INSERT INTO "log" VALUES(217,6,16,'request-000217','{"do": {"do": "throw", "dice": [6, 2, 3, 4, 2]}}','Ada''s phone','2026-11-27T03:31:54Z','3210ad769003eb8c1a9ad9cb5604cabd');
INSERT INTO "log" VALUES(218,6,17,'request-000218','{"do": {"do": "score", "category": "large-straight"}}','Ada''s phone','2026-11-27T03:31:54Z','467f31225cae41465b184ef4028dff4b');
INSERT INTO "log" VALUES(219,6,18,'request-000219','{"do": {"do": "throw", "dice": [5, 1, 3, 4, 3]}}','Ada''s phone','2026-11-27T03:31:54Z','631942816a68c3affdb3b6e751a64fba');
INSERT INTO "log" VALUES(220,6,19,'request-000220','{"do": {"do": "score", "category": "fives"}}','Ada''s phone','2026-11-27T03:31:54Z','aa22915aae2be0a1a07ffa7d18c304c2');
INSERT INTO "log" VALUES(221,6,20,'request-000221','{"do": {"do": "throw", "dice": [2, 4, 2, 3, 6]}}','Ada''s phone','2026-11-27T03:31:54Z','72a789edd07db6b14a769df36fbd34e7');
INSERT INTO "log" VALUES(222,6,21,'request-000222','{"do": {"do": "score", "category": "small-straight"}}','Ada''s phone','2026-11-27T03:31:54Z','75081b7307d90925122fe31027b78298');
INSERT INTO "log" VALUES(223,6,22,'request-000223','{"do": {"do": "throw", "dice": [5, 4, 4, 2, 5]}}','Ada''s phone','2026-11-27T03:31:54Z','e5a5e16d704c20d3ad713e788c201165');
INSERT INTO "log" VALUES(224,6,23,'request-000224','{"do": {"do": "score", "category": "general"}}','Ada''s phone','2026-11-27T03:31:54Z','6e32db224d29bf435a6eec3ddb003767');
INSERT INTO "log" VALUES(225,6,24,'request-000225','{"undo": true}','Ada''s phone','2026-11-27T03:31:54Z','9ec4794ae44bf12fe1d90ea0393bcce8');
INSERT INTO "log" VALUES(226,6,25,'request-000226','{"do": {"do": "score", "category": "chance"}}','Ada''s phone','2026-11-27T03:31:54Z','d50b78ff67779ce5caf7fb2a9597c6b6');
INSERT INTO "log" VALUES(227,6,26,'request-000227','{"correct": 3, "action": {"do": "throw", "dice": [1, 2, 3, 1, 1]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:54Z','620db8633b8200e69cb1ae5c00860d85');
INSERT INTO "log" VALUES(228,6,27,'request-000228','{"do": {"do": "throw", "dice": [5, 4, 4, 5, 1]}}','Ada''s phone','2026-11-27T03:31:54Z','fbe15afc7008cf3d7e41390b02a13ea6');
INSERT INTO "log" VALUES(229,6,28,'request-000229','{"undo": true}','Ada''s phone','2026-11-27T03:31:54Z','8f68f21d9aae8ac6679c8cf22892bdac');
INSERT INTO "log" VALUES(230,6,29,'request-000230','{"do": {"do": "throw", "dice": [2, 4, 1, 4, 5]}}','Ada''s phone','2026-11-27T03:31:54Z','82ac1bb0d4ecf9f53aebe14defb081fa');
INSERT INTO "log" VALUES(231,6,30,'request-000231','{"undo": true}','Ada''s phone','2026-11-27T03:31:54Z','94891df5e28a17c70dd5adda064bc893');
INSERT INTO "log" VALUES(232,6,31,'request-000232','{"do": {"do": "throw", "dice": [5, 6, 4, 5, 1]}}','Ada''s phone','2026-11-27T03:31:54Z','2c559fb6537001d7a0ad78df0e871be6');
INSERT INTO "log" VALUES(233,6,32,'request-000233','{"undo": true}','Ada''s phone','2026-11-27T03:31:54Z','41192026276288739bee4064cadd3252');
INSERT INTO "log" VALUES(234,6,33,'request-000234','{"do": {"do": "throw", "dice": [5, 4, 5, 6, 6]}}','Ada''s phone','2026-11-27T03:31:54Z','323e766ac111d6185765eb3bd4f6cacc');
INSERT INTO "log" VALUES(235,6,34,'request-000235','{"do": {"do": "keep", "dice": []}}','Ada''s phone','2026-11-27T03:31:54Z','1a6358a5468ace912cfa202908af8e4b');
INSERT INTO "log" VALUES(236,6,35,'request-000236','{"do": {"do": "throw", "dice": [6, 4, 4, 4, 1]}}','Ada''s phone','2026-11-27T03:31:54Z','408812f3582d8b2d7b600cb2c99b6fed');
INSERT INTO "log" VALUES(237,6,36,'request-000237','{"do": {"do": "score", "category": "four"}}','Ada''s phone','2026-11-27T03:31:54Z','c76f1836546c5d5f76d44a4bad78cb7e');
INSERT INTO "log" VALUES(238,6,37,'request-000238','{"do": {"do": "throw", "dice": [3, 2, 4, 1, 3]}}','Ada''s phone','2026-11-27T03:31:54Z','54c737c0ef9397acfdc59d3998d312e4');
INSERT INTO "log" VALUES(239,6,38,'request-000239','{"do": {"do": "keep", "dice": [1]}}','Ada''s phone','2026-11-27T03:31:54Z','800b85a6b631947c39f5160a586f3e67');
INSERT INTO "log" VALUES(240,6,39,'request-000240','{"do": {"do": "throw", "dice": [3, 3, 1, 6]}}','Ada''s phone','2026-11-27T03:31:54Z','2c094dd26e4c7e8f5e8f42dcc43cec16');
INSERT INTO "log" VALUES(241,6,40,'request-000241','{"do": {"do": "score", "category": "general"}}','Ada''s phone','2026-11-27T03:31:54Z','51aa65715b6ff6f0972d5b3c0929a2c9');
INSERT INTO "log" VALUES(242,7,1,'request-000242','{"do": {"do": "throw", "dice": [1, 6, 4, 1, 4]}}','Ada''s phone','2026-11-27T03:31:54Z','ee8bfb506a3b5c6835e15d9b9b065b65');
INSERT INTO "log" VALUES(243,7,2,'request-000243','{"do": {"do": "score", "category": "chance", "column": 1}}','Ada''s phone','2026-11-27T03:31:54Z','f90ec198e9a948891d43b49cce9862bd');
INSERT INTO "log" VALUES(244,7,3,'request-000244','{"do": {"do": "throw", "dice": [3, 5, 4, 2, 4]}}','Ada''s phone','2026-11-27T03:31:54Z','34d0bf4e12d7f88cdab750bf64eb63ae');
INSERT INTO "log" VALUES(245,7,4,'request-000245','{"do": {"do": "score", "category": "large-straight", "column": 2}}','Ada''s phone','2026-11-27T03:31:54Z','e806095fc57a905c55795b9b1c5610cc');
INSERT INTO "log" VALUES(246,7,5,'request-000246','{"do": {"do": "throw", "dice": [1, 2, 4, 1, 3]}}','Ada''s phone','2026-11-27T03:31:54Z','7691e66af6395b1ae382d590e195d941');
INSERT INTO "log" VALUES(247,7,6,'request-000247','{"do": {"do": "score", "category": "general", "column": 2}}','Ada''s phone','2026-11-27T03:31:54Z','e71be06b0f40f2ec4510671613644fc5');
INSERT INTO "log" VALUES(248,7,7,'request-000248','{"do": {"do": "throw", "dice": [2, 3, 5, 6, 5]}}','Ada''s phone','2026-11-27T03:31:54Z','05a388596399c130dc8cf1ee9c393109');
INSERT INTO "log" VALUES(249,7,8,'request-000249','{"undo": true}','Ada''s phone','2026-11-27T03:31:54Z','e02180c689fd9cc25e7e44a64d607d67');
INSERT INTO "log" VALUES(250,7,9,'request-000250','{"correct": 1, "action": {"do": "throw", "dice": [1, 6, 4, 3, 3]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:54Z','31440a27e9e308f20e2a97f9e202ffde');
INSERT INTO "log" VALUES(251,7,10,'request-000251','{"do": {"do": "throw", "dice": [4, 5, 5, 4, 2]}}','Ada''s phone','2026-11-27T03:31:54Z','b4820728af1e619d467eb92b45c2e0fe');
INSERT INTO "log" VALUES(252,7,11,'request-000252','{"do": {"do": "score", "category": "full", "column": 1}}','Ada''s phone','2026-11-27T03:31:54Z','13421a52944753e917f02be348ea6078');
INSERT INTO "log" VALUES(253,7,12,'request-000253','{"do": {"do": "throw", "dice": [6, 4, 2, 2, 4]}}','Ada''s phone','2026-11-27T03:31:54Z','4a60687e100f42dbf919feaa9e9ec45b');
INSERT INTO "log" VALUES(254,7,13,'request-000254','{"do": {"do": "score", "category": "fours", "column": 1}}','Ada''s phone','2026-11-27T03:31:54Z','1ec3878abf37cdc3304cf41b3b1cea31');
INSERT INTO "log" VALUES(255,7,14,'request-000255','{"undo": true}','Ada''s phone','2026-11-27T03:31:54Z','2cb2ed083065728e6a4de2b70755d029');
INSERT INTO "log" VALUES(256,7,15,'request-000256','{"do": {"do": "score", "category": "twos", "column": 2}}','Ada''s phone','2026-11-27T03:31:54Z','bc8fb7ae0f6ef714e76a813f26fdf2e5');
INSERT INTO "log" VALUES(257,7,16,'request-000257','{"do": {"do": "throw", "dice": [3, 1, 5, 2, 1]}}','Ada''s phone','2026-11-27T03:31:54Z','9f9808ce362bf6b693a2a9487987f9d9');
INSERT INTO "log" VALUES(258,7,17,'request-000258','{"do": {"do": "score", "category": "general", "column": 2}}','Ada''s phone','2026-11-27T03:31:54Z','add865b1d235460ab203ef3d8d3e3707');
INSERT INTO "log" VALUES(259,7,18,'request-000259','{"do": {"do": "throw", "dice": [4, 4, 1, 6, 1]}}','Ada''s phone','2026-11-27T03:31:54Z','f42043086e0de36397baae1618e915f7');
INSERT INTO "log" VALUES(260,7,19,'request-000260','{"do": {"do": "score", "category": "ones", "column": 3}}','Ada''s phone','2026-11-27T03:31:54Z','02a36ca23dbf94db0b8aa0c93c98e478');
INSERT INTO "log" VALUES(261,7,20,'request-000261','{"do": {"do": "throw", "dice": [6, 5, 5, 4, 4]}}','Ada''s phone','2026-11-27T03:31:54Z','bc53e4232c0e3fa0b8c9e886b9c85d53');
INSERT INTO "log" VALUES(262,7,21,'request-000262','{"do": {"do": "score", "category": "general", "column": 1}}','Ada''s phone','2026-11-27T03:31:54Z','0df7ca5a3f11bf09ed2067ab8c08cfbd');
INSERT INTO "log" VALUES(263,7,22,'request-000263','{"do": {"do": "throw", "dice": [6, 4, 1, 6, 2]}}','Ada''s phone','2026-11-27T03:31:54Z','b628fe3e383d9799630d5973926bb9ca');
INSERT INTO "log" VALUES(264,7,23,'request-000264','{"do": {"do": "score", "category": "threes", "column": 3}}','Ada''s phone','2026-11-27T03:31:54Z','9e73adb615925d90b7e0af48927453a6');
INSERT INTO "log" VALUES(265,7,24,'request-000265','{"undo": true}','Ada''s phone','2026-11-27T03:31:54Z','bb844cbd95c3765b7c5dd27fa0689632');
INSERT INTO "log" VALUES(266,7,25,'request-000266','{"do": {"do": "score", "category": "large-straight", "column": 3}}','Ada''s phone','2026-11-27T03:31:54Z','7de14fc21d50494e2d80ad0b9ac5e9ba');
INSERT INTO "log" VALUES(267,7,26,'request-000267','{"do": {"do": "throw", "dice": [4, 2, 4, 3, 1]}}','Ada''s phone','2026-11-27T03:31:54Z','665920c7e32dd053ded89943b314bab1');
INSERT INTO "log" VALUES(268,7,27,'request-000268','{"do": {"do": "score", "category": "threes", "column": 2}}','Ada''s phone','2026-11-27T03:31:54Z','ccfd68ea421a0d2ff7da0ca82f987a4d');
INSERT INTO "log" VALUES(269,7,28,'request-000269','{"correct": 1, "action": {"do": "throw", "dice": [1, 6, 1, 1, 3]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:54Z','926a4143dc613b023d2f19ae3a9bfaae');
INSERT INTO "log" VALUES(270,7,29,'request-000270','{"do": {"do": "throw", "dice": [3, 3, 3, 3, 4]}}','Ada''s phone','2026-11-27T03:31:54Z','065c38409ebd41fc1484e6b71efc1312');
INSERT INTO "log" VALUES(271,7,30,'request-000271','{"do": {"do": "score", "category": "four", "column": 1}}','Ada''s phone','2026-11-27T03:31:54Z','e315c46219f9492e0316b104ec1f89cc');
INSERT INTO "log" VALUES(272,7,31,'request-000272','{"do": {"do": "throw", "dice": [6, 3, 4, 2, 6]}}','Ada''s phone','2026-11-27T03:31:54Z','d512a269e7b24c8e33f8e630baa44929');
INSERT INTO "log" VALUES(273,7,32,'request-000273','{"do": {"do": "score", "category": "three", "column": 2}}','Ada''s phone','2026-11-27T03:31:54Z','7a04ddade8e3ef8e84a67fcdc9a82979');
INSERT INTO "log" VALUES(274,7,33,'request-000274','{"do": {"do": "throw", "dice": [2, 5, 2, 5, 1]}}','Ada''s phone','2026-11-27T03:31:54Z','040dd8933ae9a3b8113c53514b23d8bd');
INSERT INTO "log" VALUES(275,7,34,'request-000275','{"do": {"do": "score", "category": "twos", "column": 3}}','Ada''s phone','2026-11-27T03:31:54Z','a4cc29fe8c440c81692e315f1a479449');
INSERT INTO "log" VALUES(276,7,35,'request-000276','{"do": {"do": "throw", "dice": [4, 1, 6, 5, 4]}}','Ada''s phone','2026-11-27T03:31:54Z','8a02e28003f5426b348cb9b490dce835');
INSERT INTO "log" VALUES(277,7,36,'request-000277','{"do": {"do": "score", "category": "threes", "column": 1}}','Ada''s phone','2026-11-27T03:31:54Z','6c10b9908fdd74ae0adf2dd5cec7de23');
INSERT INTO "log" VALUES(278,7,37,'request-000278','{"undo": true}','Ada''s phone','2026-11-27T03:31:54Z','df77d6728fc2078eb98ae571a510b2fa');
INSERT INTO "log" VALUES(279,7,38,'request-000279','{"do": {"do": "score", "category": "three", "column": 3}}','Ada''s phone','2026-11-27T03:31:54Z','0a82978edfa52c3a0fa07489bd72fe75');
INSERT INTO "log" VALUES(280,7,39,'request-000280','{"do": {"do": "throw", "dice": [5, 5, 2, 5, 6]}}','Ada''s phone','2026-11-27T03:31:54Z','4eaf18be598814f82592bd639b69d34b');
INSERT INTO "log" VALUES(281,7,40,'request-000281','{"do": {"do": "score", "category": "fives", "column": 1}}','Ada''s phone','2026-11-27T03:31:54Z','8380379c8303531102e3771caa780eb0');
INSERT INTO "log" VALUES(282,7,41,'request-000282','{"do": {"do": "throw", "dice": [1, 1, 6, 4, 3]}}','Ada''s phone','2026-11-27T03:31:54Z','1aed84b193b6549b1e9200b92c38ff61');
INSERT INTO "log" VALUES(283,7,42,'request-000283','{"do": {"do": "score", "category": "fives", "column": 1}}','Ada''s phone','2026-11-27T03:31:54Z','19f7e6bab57e2bd1eecba8bb8de350e3');
INSERT INTO "log" VALUES(284,7,43,'request-000284','{"do": {"do": "throw", "dice": [1, 4, 3, 3, 4]}}','Ada''s phone','2026-11-27T03:31:54Z','8211cb4d8546d1e4533819871ce99d2f');
INSERT INTO "log" VALUES(285,7,44,'request-000285','{"do": {"do": "score", "category": "ones", "column": 1}}','Ada''s phone','2026-11-27T03:31:54Z','e5e7ec81ed0f44698302109d09534b7d');
INSERT INTO "log" VALUES(286,7,45,'request-000286','{"do": {"do": "throw", "dice": [5, 6, 4, 4, 4]}}','Ada''s phone','2026-11-27T03:31:54Z','8d232f066fcba673111a71d77d4b30d7');
INSERT INTO "log" VALUES(287,7,46,'request-000287','{"do": {"do": "score", "category": "fives", "column": 2}}','Ada''s phone','2026-11-27T03:31:54Z','d5525b24bd18d6cc0a3bafb54e2d35da');
INSERT INTO "log" VALUES(288,8,1,'request-000288','{"do": {"do": "throw", "dice": [5, 2, 4, 1, 2]}}','Ada''s phone','2026-11-27T03:31:54Z','c92419ae9f4f05afac408dac922c042d');
INSERT INTO "log" VALUES(289,8,2,'request-000289','{"do": {"do": "score", "category": "twos"}}','Ada''s phone','2026-11-27T03:31:54Z','8236aa0423045598f8b187a5ecde9b46');
INSERT INTO "log" VALUES(290,8,3,'request-000290','{"do": {"do": "throw", "dice": [5, 5, 6, 4, 2]}}','Ada''s phone','2026-11-27T03:31:54Z','3a584b8a9e5202425b8d81835a350fa1');
INSERT INTO "log" VALUES(291,8,4,'request-000291','{"do": {"do": "score", "category": "four"}}','Ada''s phone','2026-11-27T03:31:54Z','1b84edb2595963c0b5f8e790c4f260e0');
INSERT INTO "log" VALUES(292,8,5,'request-000292','{"do": {"do": "throw", "dice": [5, 3, 1, 2, 4]}}','Ada''s phone','2026-11-27T03:31:54Z','c4236f2dcc4ae3e83d4d94adff4497d9');
INSERT INTO "log" VALUES(293,8,6,'request-000293','{"do": {"do": "score", "category": "full"}}','Ada''s phone','2026-11-27T03:31:54Z','bcfac89c72ecb9c6617d250181a99eaf');
INSERT INTO "log" VALUES(294,8,7,'request-000294','{"do": {"do": "throw", "dice": [5, 2, 6, 2, 4]}}','Ada''s phone','2026-11-27T03:31:54Z','693d4c0f5455a3c4a85cd669de42fe15');
INSERT INTO "log" VALUES(295,8,8,'request-000295','{"correct": 5, "action": {"do": "throw", "dice": [3, 3, 5, 1, 2]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:54Z','803d234c50cb7276e9ecc40933d78bc8');
INSERT INTO "log" VALUES(296,8,9,'request-000296','{"do": {"do": "score", "category": "fives"}}','Ada''s phone','2026-11-27T03:31:54Z','826c3bbd605644c96f42722d83c49e55');
INSERT INTO "log" VALUES(297,8,10,'request-000297','{"do": {"do": "throw", "dice": [4, 6, 6, 6, 1]}}','Ada''s phone','2026-11-27T03:31:54Z','1e9ae7e5a82b503e0d8a678b5317ebc6');
INSERT INTO "log" VALUES(298,8,11,'request-000298','{"do": {"do": "score", "category": "threes"}}','Ada''s phone','2026-11-27T03:31:54Z','e579cc2694b37b7c381a7ebfd53a6b40');
INSERT INTO "log" VALUES(299,8,12,'request-000299','{"do": {"do": "throw", "dice": [3, 1, 1, 6, 3]}}','Ada''s phone','2026-11-27T03:31:54Z','1389564eb265896a9aeb209b35a81ea8');
INSERT INTO "log" VALUES(300,8,13,'request-000300','{"do": {"do": "score", "category": "general"}}','Ada''s phone','2026-11-27T03:31:54Z','c0e6e824a972eadc599bba6315cf38ac');
INSERT INTO "log" VALUES(301,8,14,'request-000301','{"do": {"do": "throw", "dice": [2, 6, 3, 6, 3]}}','Ada''s phone','2026-11-27T03:31:54Z','d307a9d2f090017f09d3e607e9d05046');
INSERT INTO "log" VALUES(302,8,15,'request-000302','{"undo": true}','Ada''s phone','2026-11-27T03:31:54Z','fd00960fa4893c4fa8f795bb6b62b794');
INSERT INTO "log" VALUES(303,8,16,'request-000303','{"do": {"do": "throw", "dice": [1, 3, 1, 3, 6]}}','Ada''s phone','2026-11-27T03:31:54Z','8d467a9b2c430096ab7229f361566be4');
INSERT INTO "log" VALUES(304,8,17,'request-000304','{"do": {"do": "score", "category": "small-straight"}}','Ada''s phone','2026-11-27T03:31:54Z','9c818f7125ed961990dda27916b70b80');
INSERT INTO "log" VALUES(305,8,18,'request-000305','{"undo": true}','Ada''s phone','2026-11-27T03:31:54Z','966049486c152be512f8f918fc66fb32');
INSERT INTO "log" VALUES(306,8,19,'request-000306','{"do": {"do": "score", "category": "three"}}','Ada''s phone','2026-11-27T03:31:54Z','c3a58b1b679b2ea7149f5108934cbeab');
INSERT INTO "log" VALUES(307,8,20,'request-000307','{"undo": true}','Ada''s phone','2026-11-27T03:31:54Z','dfd4874e8d9864c1590a44b41b7be7c4');
INSERT INTO "log" VALUES(308,8,21,'request-000308','{"do": {"do": "score", "category": "ones"}}','Ada''s phone','2026-11-27T03:31:54Z','eab202beadb7771703847f3e0d6a3e42');
INSERT INTO "log" VALUES(309,8,22,'request-000309','{"do": {"do": "throw", "dice": [1, 4, 4, 1, 2]}}','Ada''s phone','2026-11-27T03:31:54Z','3857578096a8398f9548e9eed7df8790');
INSERT INTO "log" VALUES(310,8,23,'request-000310','{"do": {"do": "score", "category": "chance"}}','Ada''s phone','2026-11-27T03:31:54Z','cdebe1950eca6ce1de773523e50749f9');
INSERT INTO "log" VALUES(311,8,24,'request-000311','{"do": {"do": "throw", "dice": [6, 5, 3, 3, 1]}}','Ada''s phone','2026-11-27T03:31:55Z','ff544e3c2c75565ee04c0a2ee5dd5c34');
INSERT INTO "log" VALUES(312,8,25,'request-000312','{"do": {"do": "score", "category": "fives"}}','Ada''s phone','2026-11-27T03:31:55Z','fd9e372202fab58f3ecf46c5c1edb232');
INSERT INTO "log" VALUES(313,8,26,'request-000313','{"do": {"do": "throw", "dice": [1, 5, 5, 1, 1]}}','Ada''s phone','2026-11-27T03:31:55Z','1d4c00049a420a116d57c44dfbf86647');
INSERT INTO "log" VALUES(314,8,27,'request-000314','{"do": {"do": "score", "category": "large-straight"}}','Ada''s phone','2026-11-27T03:31:55Z','ad402587aa477f02f6392e2ac913ce5b');
INSERT INTO "log" VALUES(315,8,28,'request-000315','{"correct": 3, "action": {"do": "throw", "dice": [3, 3, 5, 4, 4]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:55Z','6016edd0247cdfa7b6787ad3bf872f06');
INSERT INTO "log" VALUES(316,8,29,'request-000316','{"do": {"do": "throw", "dice": [2, 5, 2, 4, 6]}}','Ada''s phone','2026-11-27T03:31:55Z','8cc2908dbf5c6e25b7fe9235b01fe3a8');
INSERT INTO "log" VALUES(317,8,30,'request-000317','{"do": {"do": "score", "category": "four"}}','Ada''s phone','2026-11-27T03:31:55Z','3b7ba8f5061a5292eccb4df116183e26');
INSERT INTO "log" VALUES(318,8,31,'request-000318','{"do": {"do": "throw", "dice": [2, 3, 1, 6, 4]}}','Ada''s phone','2026-11-27T03:31:55Z','f7a54196b3800289beafc695acbc8bf8');
INSERT INTO "log" VALUES(319,8,32,'request-000319','{"do": {"do": "keep", "dice": [1, 2, 3, 4]}}','Ada''s phone','2026-11-27T03:31:55Z','2ef940f496731ff82476a796d672e2a0');
INSERT INTO "log" VALUES(320,8,33,'request-000320','{"do": {"do": "throw", "dice": [3]}}','Ada''s phone','2026-11-27T03:31:55Z','61ae525f5031788851f11916ed1e9803');
INSERT INTO "log" VALUES(321,8,34,'request-000321','{"do": {"do": "score", "category": "sixes"}}','Ada''s phone','2026-11-27T03:31:55Z','2eba5b533c82fd9e81886cdbe9ba622d');
INSERT INTO "log" VALUES(322,8,35,'request-000322','{"do": {"do": "throw", "dice": [6, 5, 1, 2, 5]}}','Ada''s phone','2026-11-27T03:31:55Z','cebb58fc659d4a4d197b25139a272ccd');
INSERT INTO "log" VALUES(323,8,36,'request-000323','{"do": {"do": "score", "category": "sixes"}}','Ada''s phone','2026-11-27T03:31:55Z','0cf211679078ebf2111ad505fed1f87d');
INSERT INTO "log" VALUES(324,8,37,'request-000324','{"do": {"do": "throw", "dice": [2, 2, 2, 6, 1]}}','Ada''s phone','2026-11-27T03:31:55Z','e7535f5079327902dee538cc625088d9');
INSERT INTO "log" VALUES(325,8,38,'request-000325','{"do": {"do": "score", "category": "three"}}','Ada''s phone','2026-11-27T03:31:55Z','1da3c6c0c6f964493831497148b77ff3');
INSERT INTO "log" VALUES(326,8,39,'request-000326','{"do": {"do": "throw", "dice": [6, 4, 1, 3, 5]}}','Ada''s phone','2026-11-27T03:31:55Z','53333b145ca64182cbbb7adffcbb758f');
INSERT INTO "log" VALUES(327,8,40,'request-000327','{"do": {"do": "score", "category": "chance"}}','Ada''s phone','2026-11-27T03:31:55Z','4fe4ea8ce2afb57899137b45990d729c');
INSERT INTO "log" VALUES(328,8,41,'request-000328','{"do": {"do": "throw", "dice": [5, 6, 5, 1, 2]}}','Ada''s phone','2026-11-27T03:31:55Z','a114bff5e3b25c85b3dba9dd60e65049');
INSERT INTO "log" VALUES(329,8,42,'request-000329','{"do": {"do": "score", "category": "threes"}}','Ada''s phone','2026-11-27T03:31:55Z','19109c52bcbb5e0b6524d9677de7b5a4');
INSERT INTO "log" VALUES(330,8,43,'request-000330','{"do": {"do": "throw", "dice": [6, 4, 5, 5, 3]}}','Ada''s phone','2026-11-27T03:31:55Z','7343acb095c9276d4896ec21ddee56b9');
INSERT INTO "log" VALUES(331,8,44,'request-000331','{"do": {"do": "score", "category": "fours"}}','Ada''s phone','2026-11-27T03:31:55Z','63d6cdb84707104e0683680e029ba268');
INSERT INTO "log" VALUES(332,8,45,'request-000332','{"do": {"do": "throw", "dice": [5, 4, 3, 4, 3]}}','Ada''s phone','2026-11-27T03:31:55Z','8055664ede5178fde4c1f4936acd2183');
INSERT INTO "log" VALUES(333,9,1,'request-000333','{"do": {"do": "throw", "dice": [3, 6]}}','Ada''s phone','2026-11-27T03:31:55Z','aa64ea3cfc22acc89ef44374536ad7e3');
INSERT INTO "log" VALUES(334,9,2,'request-000334','{"do": {"do": "write", "cell": [5, 2], "player": 1}}','Ada''s phone','2026-11-27T03:31:55Z','261b348071c331c709f72a788249870f');
INSERT INTO "log" VALUES(335,9,3,'request-000335','{"undo": true}','Ada''s phone','2026-11-27T03:31:55Z','38bbc2a574c3f7e66b1b3216b7c249bc');
INSERT INTO "log" VALUES(336,9,4,'request-000336','{"do": {"do": "write", "cell": [2, 2], "player": 1}}','Ada''s phone','2026-11-27T03:31:55Z','819a3c88219baee2cb3ffdba3443213c');
INSERT INTO "log" VALUES(337,9,5,'request-000337','{"do": {"do": "write", "cell": [2, 5], "player": 0}}','Ada''s phone','2026-11-27T03:31:55Z','40e39cb39345aa1079a5cdd89e49c622');
INSERT INTO "log" VALUES(338,9,6,'request-000338','{"do": {"do": "throw", "dice": [6, 3]}}','Ada''s phone','2026-11-27T03:31:55Z','a13f695a9f7b208e79d5677db1cd7c7d');
INSERT INTO "log" VALUES(339,9,7,'request-000339','{"do": {"do": "write", "cell": [3, 3], "player": 1}}','Ada''s phone','2026-11-27T03:31:55Z','b8c08eb213f00ee628bd788a4c3e11ee');
INSERT INTO "log" VALUES(340,9,8,'request-000340','{"do": {"do": "write", "cell": [3, 1], "player": 0}}','Ada''s phone','2026-11-27T03:31:55Z','d57e3861f9315903984cc77c8616cc80');
INSERT INTO "log" VALUES(341,9,9,'request-000341','{"correct": 4, "action": {"do": "throw", "dice": [6, 6]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:55Z','fdc0abda98ef3d315080cc343a611785');
INSERT INTO "log" VALUES(342,9,10,'request-000342','{"do": {"do": "throw", "dice": [2, 5]}}','Ada''s phone','2026-11-27T03:31:55Z','77a59aba820741f713cbefd45c0006eb');
INSERT INTO "log" VALUES(343,9,11,'request-000343','{"do": {"do": "write", "cell": [1, 1], "player": 0}}','Ada''s phone','2026-11-27T03:31:55Z','91e4296c51c96c24f23ffa2e620ae7ce');
INSERT INTO "log" VALUES(344,9,12,'request-000344','{"do": {"do": "write", "cell": [4, 3], "player": 1}}','Ada''s phone','2026-11-27T03:31:55Z','9dda6ab877052afddcb67901818e068e');
INSERT INTO "log" VALUES(345,9,13,'request-000345','{"do": {"do": "throw", "dice": [1, 2]}}','Ada''s phone','2026-11-27T03:31:55Z','81f0c046f08071f90a092074deea96c8');
INSERT INTO "log" VALUES(346,9,14,'request-000346','{"do": {"do": "write", "cell": [2, 5], "player": 1}}','Ada''s phone','2026-11-27T03:31:55Z','c6ea7cf1bd8a08330aa4f087f9a05ecd');
INSERT INTO "log" VALUES(347,9,15,'request-000347','{"do": {"do": "write", "cell": [2, 3], "player": 0}}','Ada''s phone','2026-11-27T03:31:55Z','93fb9e8277d86ad48f34f8d72c29950a');
INSERT INTO "log" VALUES(348,9,16,'request-000348','{"do": {"do": "throw", "dice": [5, 2]}}','Ada''s phone','2026-11-27T03:31:55Z','2addd4abead56232e0c90fdbe62d2e25');
INSERT INTO "log" VALUES(349,9,17,'request-000349','{"do": {"do": "write", "cell": [1, 4], "player": 1}}','Ada''s phone','2026-11-27T03:31:55Z','f0fbf0ed63477a443d0358c023d82093');
INSERT INTO "log" VALUES(350,9,18,'request-000350','{"do": {"do": "write", "cell": [4, 1], "player": 0}}','Ada''s phone','2026-11-27T03:31:55Z','7fbdab84e5f99a65810e15ca244a914e');
INSERT INTO "log" VALUES(351,9,19,'request-000351','{"do": {"do": "throw", "dice": [6, 3]}}','Ada''s phone','2026-11-27T03:31:55Z','c47ece8be72801e5dcc647648fe1826c');
INSERT INTO "log" VALUES(352,9,20,'request-000352','{"do": {"do": "write", "cell": [4, 3], "player": 0}}','Ada''s phone','2026-11-27T03:31:55Z','c8253f5161af38568e5f97bd2f815e3a');
INSERT INTO "log" VALUES(353,9,21,'request-000353','{"do": {"do": "write", "cell": [5, 3], "player": 1}}','Ada''s phone','2026-11-27T03:31:55Z','55818cbad77a5e0a333393007bfae1e9');
INSERT INTO "log" VALUES(354,9,22,'request-000354','{"undo": true}','Ada''s phone','2026-11-27T03:31:55Z','6e168dd315fda6bdc1cf9c61c2437b60');
INSERT INTO "log" VALUES(355,9,23,'request-000355','{"do": {"do": "write", "cell": [5, 1], "player": 1}}','Ada''s phone','2026-11-27T03:31:55Z','85de3b31b59d7dce824c4a6c18bb4982');
INSERT INTO "log" VALUES(356,9,24,'request-000356','{"do": {"do": "throw", "dice": [2, 6]}}','Ada''s phone','2026-11-27T03:31:55Z','f05b83eb8608019bcde59dcf37ffb66a');
INSERT INTO "log" VALUES(357,9,25,'request-000357','{"undo": true}','Ada''s phone','2026-11-27T03:31:55Z','80cdf4fa0ee9027a42ec409eced42055');
INSERT INTO "log" VALUES(358,9,26,'request-000358','{"do": {"do": "throw", "dice": [6, 6]}}','Ada''s phone','2026-11-27T03:31:55Z','240d726662ad5a5d943388b6c6205686');
INSERT INTO "log" VALUES(359,9,27,'request-000359','{"undo": true}','Ada''s phone','2026-11-27T03:31:55Z','2475e1055d652b666f7580be94bbb140');
INSERT INTO "log" VALUES(360,9,28,'request-000360','{"do": {"do": "throw", "dice": [5, 1]}}','Ada''s phone','2026-11-27T03:31:55Z','7006bdb02b2a2b3248affe286050339c');
INSERT INTO "log" VALUES(361,9,29,'request-000361','{"correct": 1, "action": {"do": "throw", "dice": [4, 1]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:55Z','aecc71c2f401c4724061a565e13f81e6');
INSERT INTO "log" VALUES(362,9,30,'request-000362','{"do": {"do": "write", "cell": [4, 4], "player": 0}}','Ada''s phone','2026-11-27T03:31:55Z','36c96ae2caa023124f9ae0c38c94e6a3');
INSERT INTO "log" VALUES(363,9,31,'request-000363','{"do": {"do": "write", "cell": [1, 5], "player": 1}}','Ada''s phone','2026-11-27T03:31:55Z','c7c4d7ec9a02b65ba07e6947116ef327');
INSERT INTO "log" VALUES(364,9,32,'request-000364','{"do": {"do": "throw", "dice": [4, 4]}}','Ada''s phone','2026-11-27T03:31:55Z','c29274adf90b36de640d3b22e4b3d0cd');
INSERT INTO "log" VALUES(365,9,33,'request-000365','{"do": {"do": "write", "cell": [2, 1], "player": 0}}','Ada''s phone','2026-11-27T03:31:55Z','169ba245651a8c06755653e3b34a4650');
INSERT INTO "log" VALUES(366,9,34,'request-000366','{"undo": true}','Ada''s phone','2026-11-27T03:31:55Z','288d5a8994ae9537ccf8cf44793bc2ef');
INSERT INTO "log" VALUES(367,9,35,'request-000367','{"do": {"do": "write", "cell": [4, 2], "player": 1}}','Ada''s phone','2026-11-27T03:31:55Z','cb2090cec95a8c6171e85b8a4166016f');
INSERT INTO "log" VALUES(368,9,36,'request-000368','{"do": {"do": "write", "cell": [2, 4], "player": 0}}','Ada''s phone','2026-11-27T03:31:55Z','ade534813673e629ed38a71bcf33c5e8');
INSERT INTO "log" VALUES(369,9,37,'request-000369','{"undo": true}','Ada''s phone','2026-11-27T03:31:55Z','8f437fdff8c0a30e2bfe7a4992aab59f');
INSERT INTO "log" VALUES(370,9,38,'request-000370','{"do": {"do": "write", "cell": [5, 2], "player": 0}}','Ada''s phone','2026-11-27T03:31:55Z','4940cf6d169d254a96927989bfa1dd59');
INSERT INTO "log" VALUES(371,9,39,'request-000371','{"do": {"do": "throw", "dice": [1, 6]}}','Ada''s phone','2026-11-27T03:31:55Z','d07bda98a6e9b64dbd1b2592d77d260f');
INSERT INTO "log" VALUES(372,9,40,'request-000372','{"do": {"do": "write", "cell": [2, 2], "player": 0}}','Ada''s phone','2026-11-27T03:31:55Z','2899d7ff6966f8c49d39086edd804df5');
INSERT INTO "log" VALUES(373,9,41,'request-000373','{"do": {"do": "write", "cell": [1, 3], "player": 1}}','Ada''s phone','2026-11-27T03:31:55Z','e962917a6eb698c9c5ad99a15827e3a9');
INSERT INTO "log" VALUES(374,9,42,'request-000374','{"do": {"do": "throw", "dice": [1, 1]}}','Ada''s phone','2026-11-27T03:31:55Z','0b4f0ea1310676cde0693dab997d7d3f');
INSERT INTO "log" VALUES(375,9,43,'request-000375','{"do": {"do": "write", "cell": [2, 3], "player": 1}}','Ada''s phone','2026-11-27T03:31:55Z','6e67f8540ae8060376f39489e4fa899f');
INSERT INTO "log" VALUES(376,9,44,'request-000376','{"do": {"do": "write", "cell": [5, 1], "player": 0}}','Ada''s phone','2026-11-27T03:31:55Z','7d5247b22d34983b4eda940d187838e7');
INSERT INTO "log" VALUES(377,9,45,'request-000377','{"do": {"do": "throw", "dice": [4, 6]}}','Ada''s phone','2026-11-27T03:31:55Z','b499b7710ca469529ce788f618e1b6fa');
INSERT INTO "log" VALUES(378,9,46,'request-000378','{"do": {"do": "write", "cell": [2, 1], "player": 0}}','Ada''s phone','2026-11-27T03:31:55Z','8272c5bc261a5f1e5402911945bc4c1b');
INSERT INTO "log" VALUES(379,9,47,'request-000379','{"do": {"do": "write", "cell": [3, 5], "player": 1}}','Ada''s phone','2026-11-27T03:31:55Z','8bdfd809d201a288b8876b6765c07cca');
INSERT INTO "log" VALUES(380,9,48,'request-000380','{"do": {"do": "throw", "dice": [3, 4]}}','Ada''s phone','2026-11-27T03:31:55Z','1f4fba0761c514ba85dd87cb9b5b97b5');
INSERT INTO "log" VALUES(381,10,1,'request-000381','{"do": {"do": "throw", "dice": [6, 6, 6, 3, 1]}}','Ada''s phone','2026-11-27T03:31:55Z','1e6de8304d4ecea83bfc74124279f8db');
INSERT INTO "log" VALUES(382,10,2,'request-000382','{"do": {"do": "score", "category": "three"}}','Ada''s phone','2026-11-27T03:31:55Z','0acd6a3d562a38682b83c08b938b4f00');
INSERT INTO "log" VALUES(383,10,3,'request-000383','{"do": {"do": "throw", "dice": [6, 6, 5, 6, 6]}}','Ada''s phone','2026-11-27T03:31:55Z','0a3859d59cec6fbb720c45013a5264d7');
INSERT INTO "log" VALUES(384,10,4,'request-000384','{"do": {"do": "score", "category": "fours"}}','Ada''s phone','2026-11-27T03:31:55Z','450a32793edbbb14e6b57f27d3ac28a2');
INSERT INTO "log" VALUES(385,10,5,'request-000385','{"do": {"do": "throw", "dice": [6, 6, 1, 2, 5]}}','Ada''s phone','2026-11-27T03:31:55Z','54ffdf8f9e714b70a674627e6177f944');
INSERT INTO "log" VALUES(386,10,6,'request-000386','{"do": {"do": "score", "category": "threes"}}','Ada''s phone','2026-11-27T03:31:55Z','5a08c421893b499c7c9bf1444275f10b');
INSERT INTO "log" VALUES(387,10,7,'request-000387','{"do": {"do": "throw", "dice": [6, 5, 4, 3, 2]}}','Ada''s phone','2026-11-27T03:31:55Z','7af3cf77d9646ecb8ace61857088c2c1');
INSERT INTO "log" VALUES(388,10,8,'request-000388','{"correct": 3, "action": {"do": "throw", "dice": [1, 5, 2, 6, 4]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:55Z','94c35868866c2c5b56af5fb25b32e15a');
INSERT INTO "log" VALUES(389,10,9,'request-000389','{"do": {"do": "score", "category": "twos"}}','Ada''s phone','2026-11-27T03:31:55Z','75cfba9c2c37e3d75d618754973b83d6');
INSERT INTO "log" VALUES(390,10,10,'request-000390','{"do": {"do": "throw", "dice": [3, 6, 1, 4, 2]}}','Ada''s phone','2026-11-27T03:31:55Z','ab4324dabf511736ccc91d8777885ed0');
INSERT INTO "log" VALUES(391,10,11,'request-000391','{"do": {"do": "score", "category": "ones"}}','Ada''s phone','2026-11-27T03:31:55Z','b9fe92bc84abfd2177bba067f296b43c');
INSERT INTO "log" VALUES(392,10,12,'request-000392','{"do": {"do": "throw", "dice": [4, 3, 5, 4, 3]}}','Ada''s phone','2026-11-27T03:31:55Z','30eca0b9a38bf0729ecb25dfcb620d1e');
INSERT INTO "log" VALUES(393,10,13,'request-000393','{"do": {"do": "score", "category": "large-straight"}}','Ada''s phone','2026-11-27T03:31:55Z','75832d302c18b0eaf6cd162da7808d3a');
INSERT INTO "log" VALUES(394,10,14,'request-000394','{"do": {"do": "throw", "dice": [4, 5, 4, 1, 2]}}','Ada''s phone','2026-11-27T03:31:55Z','4c3fa400e7fd3fe919ff786efd6bfd98');
INSERT INTO "log" VALUES(395,10,15,'request-000395','{"do": {"do": "score", "category": "fours"}}','Ada''s phone','2026-11-27T03:31:55Z','9aabb922987d30b7090e533e5bd10247');
INSERT INTO "log" VALUES(396,10,16,'request-000396','{"do": {"do": "throw", "dice": [5, 4, 2, 1, 6]}}','Ada''s phone','2026-11-27T03:31:55Z','1b037502c0e6729f9e42c3f6c29fa3f9');
INSERT INTO "log" VALUES(397,10,17,'request-000397','{"do": {"do": "score", "category": "four"}}','Ada''s phone','2026-11-27T03:31:55Z','54e4f5e81d0643c996ddd3c253cfb8f6');
INSERT INTO "log" VALUES(398,10,18,'request-000398','{"undo": true}','Ada''s phone','2026-11-27T03:31:55Z','4ea356abe70c8bde0c1bcbaa0dd220e8');
INSERT INTO "log" VALUES(399,10,19,'request-000399','{"do": {"do": "score", "category": "four"}}','Ada''s phone','2026-11-27T03:31:55Z','132f86dbf9fac51eb992433049e4732e');
INSERT INTO "log" VALUES(400,10,20,'request-000400','{"do": {"do": "throw", "dice": [3, 1, 3, 6, 6]}}','Ada''s phone','2026-11-27T03:31:55Z','b9a569950368ac504492a2510baf02cf');
INSERT INTO "log" VALUES(401,10,21,'request-000401','{"do": {"do": "score", "category": "chance"}}','Ada''s phone','2026-11-27T03:31:55Z','ad7eb2f639d005a4b5304377b2197c0b');
INSERT INTO "log" VALUES(402,10,22,'request-000402','{"do": {"do": "throw", "dice": [1, 4, 5, 4, 2]}}','Ada''s phone','2026-11-27T03:31:55Z','15ed6c98ccffd40b63981710255dcec8');
INSERT INTO "log" VALUES(403,10,23,'request-000403','{"do": {"do": "score", "category": "fives"}}','Ada''s phone','2026-11-27T03:31:55Z','c9adcd9393c13956e4c4e91f4e51905b');
INSERT INTO "log" VALUES(404,10,24,'request-000404','{"do": {"do": "throw", "dice": [5, 1, 6, 5, 2]}}','Ada''s phone','2026-11-27T03:31:55Z','1fc0d63c5623feb461d12baf1f567470');
INSERT INTO "log" VALUES(405,10,25,'request-000405','{"do": {"do": "score", "category": "fives"}}','Ada''s phone','2026-11-27T03:31:55Z','ff49ca033eed6d590d56e6f6369e3fa7');
INSERT INTO "log" VALUES(406,10,26,'request-000406','{"correct": 3, "action": {"do": "throw", "dice": [4, 3, 4, 1, 2]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:55Z','75de664e8f52da66a5f24c6b39dc8dd6');
INSERT INTO "log" VALUES(407,10,27,'request-000407','{"do": {"do": "throw", "dice": [6, 4, 1, 3, 2]}}','Ada''s phone','2026-11-27T03:31:55Z','a511914d954879b086c6a185679a7c6b');
INSERT INTO "log" VALUES(408,10,28,'request-000408','{"do": {"do": "score", "category": "threes"}}','Ada''s phone','2026-11-27T03:31:55Z','8de77d72f229aaacd7342fb09590f7ce');
INSERT INTO "log" VALUES(409,10,29,'request-000409','{"do": {"do": "throw", "dice": [4, 3, 1, 6, 4]}}','Ada''s phone','2026-11-27T03:31:55Z','7d5db6b80dde13ecea48858d3fba30c0');
INSERT INTO "log" VALUES(410,10,30,'request-000410','{"do": {"do": "score", "category": "twos"}}','Ada''s phone','2026-11-27T03:31:55Z','e061c36fa09a954ec1927afb51b4cae6');
INSERT INTO "log" VALUES(411,10,31,'request-000411','{"do": {"do": "throw", "dice": [3, 3, 4, 5, 5]}}','Ada''s phone','2026-11-27T03:31:55Z','7548f1cc56b083f027897b76a120d56e');
INSERT INTO "log" VALUES(412,10,32,'request-000412','{"do": {"do": "score", "category": "sixes"}}','Ada''s phone','2026-11-27T03:31:55Z','cc2afd28e3d642c529a828312ea95b2e');
INSERT INTO "log" VALUES(413,10,33,'request-000413','{"do": {"do": "throw", "dice": [4, 6, 2, 5, 6]}}','Ada''s phone','2026-11-27T03:31:55Z','caab31178b5243fee9e1ef0c218b5e3a');
INSERT INTO "log" VALUES(414,10,34,'request-000414','{"do": {"do": "score", "category": "small-straight"}}','Ada''s phone','2026-11-27T03:31:56Z','2ed1259263a708792587d62850238c46');
INSERT INTO "log" VALUES(415,10,35,'request-000415','{"do": {"do": "throw", "dice": [4, 3, 1, 3, 3]}}','Ada''s phone','2026-11-27T03:31:56Z','3ef46f50c24a30718ca1d0db18519d46');
INSERT INTO "log" VALUES(416,10,36,'request-000416','{"do": {"do": "score", "category": "general"}}','Ada''s phone','2026-11-27T03:31:56Z','dc9d0cae8f86081b5b2f8533b12bf685');
INSERT INTO "log" VALUES(417,10,37,'request-000417','{"do": {"do": "throw", "dice": [4, 2, 6, 3, 1]}}','Ada''s phone','2026-11-27T03:31:56Z','374a7e2e3f3a55078df700549d4e748b');
INSERT INTO "log" VALUES(418,10,38,'request-000418','{"do": {"do": "score", "category": "general"}}','Ada''s phone','2026-11-27T03:31:56Z','ad18a2f0d5edc808c9953ecef3f3ba17');
INSERT INTO "log" VALUES(419,10,39,'request-000419','{"do": {"do": "throw", "dice": [1, 1, 3, 6, 3]}}','Ada''s phone','2026-11-27T03:31:56Z','bb58a1a384a7c7207cc583de37247130');
INSERT INTO "log" VALUES(420,10,40,'request-000420','{"do": {"do": "keep", "dice": [1]}}','Ada''s phone','2026-11-27T03:31:56Z','4683e47b3a48fbd870a908a196df938b');
INSERT INTO "log" VALUES(421,10,41,'request-000421','{"undo": true}','Ada''s phone','2026-11-27T03:31:56Z','82ef44f1d25ea4e5092e7d5623341a45');
INSERT INTO "log" VALUES(422,10,42,'request-000422','{"do": {"do": "score", "category": "small-straight"}}','Ada''s phone','2026-11-27T03:31:56Z','e4caf9d3d63122a4dfbeb2aa360666fa');
INSERT INTO "log" VALUES(423,10,43,'request-000423','{"do": {"do": "throw", "dice": [5, 6, 5, 5, 4]}}','Ada''s phone','2026-11-27T03:31:56Z','c656ecd691c44d9deb1ea489ccc3e39a');
INSERT INTO "log" VALUES(424,10,44,'request-000424','{"do": {"do": "keep", "dice": [4, 5, 5]}}','Ada''s phone','2026-11-27T03:31:56Z','46d20039e0690afc82cd7632a8c61a33');
INSERT INTO "log" VALUES(425,11,1,'request-000425','{"do": {"do": "throw", "dice": [3, 4, 3, 5, 1]}}','Ada''s phone','2026-11-27T03:31:56Z','6bd2b1624a6383113c989c702c2daed0');
INSERT INTO "log" VALUES(426,11,2,'request-000426','{"do": {"do": "score", "category": "three"}}','Ada''s phone','2026-11-27T03:31:56Z','3afdfc6b2036b4424fcd7ec31d779a5c');
INSERT INTO "log" VALUES(427,11,3,'request-000427','{"do": {"do": "throw", "dice": [6, 1, 4, 4, 4]}}','Ada''s phone','2026-11-27T03:31:56Z','595e7d83b9997346f55d0bc9c7d7b2c5');
INSERT INTO "log" VALUES(428,11,4,'request-000428','{"do": {"do": "score", "category": "fives"}}','Ada''s phone','2026-11-27T03:31:56Z','15483010146c2d7a8abaab4241ccd9da');
INSERT INTO "log" VALUES(429,11,5,'request-000429','{"do": {"do": "throw", "dice": [3, 3, 2, 2, 4]}}','Ada''s phone','2026-11-27T03:31:56Z','1428a7ee633d2423894d3a16d2de36fd');
INSERT INTO "log" VALUES(430,11,6,'request-000430','{"undo": true}','Ada''s phone','2026-11-27T03:31:56Z','2669ad4e90869659274019b596f1a0f3');
INSERT INTO "log" VALUES(431,11,7,'request-000431','{"do": {"do": "throw", "dice": [3, 3, 2, 5, 2]}}','Ada''s phone','2026-11-27T03:31:56Z','15907cebcd508ec6fa03bb4c8b8f1f98');
INSERT INTO "log" VALUES(432,11,8,'request-000432','{"do": {"do": "score", "category": "small-straight"}}','Ada''s phone','2026-11-27T03:31:56Z','3a01f3639beb5de56cb5e26a67f21a51');
INSERT INTO "log" VALUES(433,11,9,'request-000433','{"correct": 1, "action": {"do": "throw", "dice": [3, 4, 1, 2, 2]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:56Z','583c6a6da3fcccda43b36e266f33260a');
INSERT INTO "log" VALUES(434,11,10,'request-000434','{"do": {"do": "throw", "dice": [2, 6, 4, 5, 6]}}','Ada''s phone','2026-11-27T03:31:56Z','ab7fa207dca8d4b9cee9bf56fdd2d1fa');
INSERT INTO "log" VALUES(435,11,11,'request-000435','{"do": {"do": "keep", "dice": []}}','Ada''s phone','2026-11-27T03:31:56Z','d93974e83f65fc73ef32c7af5a8d9378');
INSERT INTO "log" VALUES(436,11,12,'request-000436','{"do": {"do": "throw", "dice": [1, 3, 3, 5, 3]}}','Ada''s phone','2026-11-27T03:31:56Z','adef23945c171bc6ae4db244b9ac05e3');
INSERT INTO "log" VALUES(437,11,13,'request-000437','{"do": {"do": "keep", "dice": []}}','Ada''s phone','2026-11-27T03:31:56Z','bd9c1309d1b1ae2401a510ff4e631aa7');
INSERT INTO "log" VALUES(438,11,14,'request-000438','{"undo": true}','Ada''s phone','2026-11-27T03:31:56Z','8c12b3fba4582d87b8ea0fe88ae68ed0');
INSERT INTO "log" VALUES(439,11,15,'request-000439','{"do": {"do": "score", "category": "three"}}','Ada''s phone','2026-11-27T03:31:56Z','d2b6b06ba9bb7ddad02130b1bdd3016e');
INSERT INTO "log" VALUES(440,11,16,'request-000440','{"undo": true}','Ada''s phone','2026-11-27T03:31:56Z','0e9bd245cbcded086a5a2272fc3eedbc');
INSERT INTO "log" VALUES(441,11,17,'request-000441','{"do": {"do": "score", "category": "three"}}','Ada''s phone','2026-11-27T03:31:56Z','ac2b9a4e433bfff60a21e882a0251726');
INSERT INTO "log" VALUES(442,11,18,'request-000442','{"do": {"do": "throw", "dice": [2, 3, 3, 2, 3]}}','Ada''s phone','2026-11-27T03:31:56Z','9a2cec36fec17e244a12b10b850355b8');
INSERT INTO "log" VALUES(443,11,19,'request-000443','{"do": {"do": "score", "category": "ones"}}','Ada''s phone','2026-11-27T03:31:56Z','c34d551ea41cafc36637b9b13ca2534a');
INSERT INTO "log" VALUES(444,11,20,'request-000444','{"do": {"do": "throw", "dice": [1, 6, 3, 1, 2]}}','Ada''s phone','2026-11-27T03:31:56Z','a6fad3070b5be54065c769908273bfd5');
INSERT INTO "log" VALUES(445,11,21,'request-000445','{"do": {"do": "score", "category": "full"}}','Ada''s phone','2026-11-27T03:31:56Z','e3e05c591b01967b7cdcba2d801879b1');
INSERT INTO "log" VALUES(446,11,22,'request-000446','{"do": {"do": "throw", "dice": [3, 3, 4, 2, 3]}}','Ada''s phone','2026-11-27T03:31:56Z','a1eafbfb5bbb4e254d23c1a7473e2081');
INSERT INTO "log" VALUES(447,11,23,'request-000447','{"do": {"do": "score", "category": "two-pairs"}}','Ada''s phone','2026-11-27T03:31:56Z','9752645f8911f7979f078dc6f9a98edb');
INSERT INTO "log" VALUES(448,11,24,'request-000448','{"do": {"do": "throw", "dice": [1, 3, 4, 2, 1]}}','Ada''s phone','2026-11-27T03:31:56Z','5fbac8ee7790924491dafd0e68459932');
INSERT INTO "log" VALUES(449,11,25,'request-000449','{"do": {"do": "score", "category": "yatzy"}}','Ada''s phone','2026-11-27T03:31:56Z','e2b784af54825f30a38c26378d981838');
INSERT INTO "log" VALUES(450,11,26,'request-000450','{"do": {"do": "throw", "dice": [4, 6, 5, 1, 3]}}','Ada''s phone','2026-11-27T03:31:56Z','78c6a8f605c7729e9e97c9d21fb6502c');
INSERT INTO "log" VALUES(451,11,27,'request-000451','{"do": {"do": "keep", "dice": [1, 3]}}','Ada''s phone','2026-11-27T03:31:56Z','8509b9781c17e6968e6edb2118ed9ea2');
INSERT INTO "log" VALUES(452,11,28,'request-000452','{"undo": true}','Ada''s phone','2026-11-27T03:31:56Z','439a6e69c1d2be8f7122f83e93e36dad');
INSERT INTO "log" VALUES(453,11,29,'request-000453','{"correct": 5, "action": {"do": "throw", "dice": [1, 6, 1, 2, 3]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:56Z','68576c10c686cb30c18b14b03d3ade14');
INSERT INTO "log" VALUES(454,11,30,'request-000454','{"do": {"do": "score", "category": "pair"}}','Ada''s phone','2026-11-27T03:31:56Z','e320bdf11955b191492dad997e07fbb2');
INSERT INTO "log" VALUES(455,11,31,'request-000455','{"do": {"do": "throw", "dice": [1, 6, 6, 1, 5]}}','Ada''s phone','2026-11-27T03:31:56Z','ca4c9e9a60ff7500a781119b36738704');
INSERT INTO "log" VALUES(456,11,32,'request-000456','{"do": {"do": "score", "category": "small-straight"}}','Ada''s phone','2026-11-27T03:31:56Z','1120704a781ad7a68aa7f614508e1a2f');
INSERT INTO "log" VALUES(457,11,33,'request-000457','{"do": {"do": "throw", "dice": [3, 6, 2, 5, 3]}}','Ada''s phone','2026-11-27T03:31:56Z','2787a04501a95da2fcab6eb69e6ee8ba');
INSERT INTO "log" VALUES(458,11,34,'request-000458','{"do": {"do": "keep", "dice": []}}','Ada''s phone','2026-11-27T03:31:56Z','d41a612151aa5030d9f45b15dcd9dcf0');
INSERT INTO "log" VALUES(459,11,35,'request-000459','{"do": {"do": "throw", "dice": [2, 1, 5, 3, 1]}}','Ada''s phone','2026-11-27T03:31:56Z','372764a94066e09c2693ede2e94cd84c');
INSERT INTO "log" VALUES(460,11,36,'request-000460','{"do": {"do": "score", "category": "fives"}}','Ada''s phone','2026-11-27T03:31:56Z','ab501ad4edee7366363ae71c1252f69b');
INSERT INTO "log" VALUES(461,11,37,'request-000461','{"do": {"do": "throw", "dice": [3, 6, 2, 2, 2]}}','Ada''s phone','2026-11-27T03:31:56Z','b9a0acb0f07f95c10f9557b2b7c0fd2c');
INSERT INTO "log" VALUES(462,11,38,'request-000462','{"do": {"do": "score", "category": "chance"}}','Ada''s phone','2026-11-27T03:31:56Z','a751cef6a952986e63811a12710b0795');
INSERT INTO "log" VALUES(463,11,39,'request-000463','{"do": {"do": "throw", "dice": [2, 4, 6, 3, 6]}}','Ada''s phone','2026-11-27T03:31:56Z','ecd26813d6fd1605fa21253d49afa15c');
INSERT INTO "log" VALUES(464,11,40,'request-000464','{"do": {"do": "keep", "dice": [2]}}','Ada''s phone','2026-11-27T03:31:56Z','0d310e2fc891bf66ebf6497556dfd51c');
INSERT INTO "log" VALUES(465,11,41,'request-000465','{"do": {"do": "throw", "dice": [6, 6, 6, 3]}}','Ada''s phone','2026-11-27T03:31:56Z','bec123adf134949a2b11226235f071a0');
INSERT INTO "log" VALUES(466,11,42,'request-000466','{"do": {"do": "score", "category": "yatzy"}}','Ada''s phone','2026-11-27T03:31:56Z','5b3b678dbabb9ad06aa610f6679fec1e');
INSERT INTO "log" VALUES(467,11,43,'request-000467','{"do": {"do": "throw", "dice": [3, 1, 5, 2, 5]}}','Ada''s phone','2026-11-27T03:31:56Z','b33e6aec10f4289948ed30c52c0b289a');
INSERT INTO "log" VALUES(468,11,44,'request-000468','{"do": {"do": "score", "category": "sixes"}}','Ada''s phone','2026-11-27T03:31:56Z','93157051eb0e57ee130eec4c26078dc8');
INSERT INTO "log" VALUES(469,11,45,'request-000469','{"do": {"do": "throw", "dice": [5, 5, 6, 3, 2]}}','Ada''s phone','2026-11-27T03:31:56Z','4abfde833a1e0c701f336d4c33085de6');
INSERT INTO "log" VALUES(470,11,46,'request-000470','{"do": {"do": "keep", "dice": [2, 3, 5, 5]}}','Ada''s phone','2026-11-27T03:31:56Z','546b560b5dcb3e2c29496b9a59a65326');
INSERT INTO "log" VALUES(471,11,47,'request-000471','{"do": {"do": "throw", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:56Z','f3ac83493316a9cba544dd1fa8e3b451');
INSERT INTO "log" VALUES(472,11,48,'request-000472','{"do": {"do": "score", "category": "twos"}}','Ada''s phone','2026-11-27T03:31:56Z','5e1a14914257d5bb535524504377e9cb');
INSERT INTO "log" VALUES(473,11,49,'request-000473','{"do": {"do": "throw", "dice": [3, 5, 1, 2, 3]}}','Ada''s phone','2026-11-27T03:31:56Z','86508862802f2938be0d8e56ad7d91c6');
INSERT INTO "log" VALUES(474,11,50,'request-000474','{"do": {"do": "score", "category": "pair"}}','Ada''s phone','2026-11-27T03:31:56Z','08f1f63ea93869c81b818b8bf21ca81f');
INSERT INTO "log" VALUES(475,11,51,'request-000475','{"do": {"do": "throw", "dice": [1, 6, 3, 3, 6]}}','Ada''s phone','2026-11-27T03:31:56Z','a6796b4d63ea6047fa5c2b4f8b8d3593');
INSERT INTO "log" VALUES(476,11,52,'request-000476','{"do": {"do": "score", "category": "four"}}','Ada''s phone','2026-11-27T03:31:56Z','1b4a43e9cb5b4e937f2e7791a28a2d15');
INSERT INTO "log" VALUES(477,11,53,'request-000477','{"undo": true}','Ada''s phone','2026-11-27T03:31:56Z','3012dbec0e75468d923687ec9dea171c');
INSERT INTO "log" VALUES(478,11,54,'request-000478','{"do": {"do": "score", "category": "four"}}','Ada''s phone','2026-11-27T03:31:56Z','7b2d40b42aa247844b8310bea11dd9ad');
INSERT INTO "log" VALUES(479,11,55,'request-000479','{"do": {"do": "throw", "dice": [4, 3, 1, 4, 4]}}','Ada''s phone','2026-11-27T03:31:56Z','bcdc51c798532462ccae2b8fb12fa651');
INSERT INTO "log" VALUES(480,11,56,'request-000480','{"do": {"do": "score", "category": "threes"}}','Ada''s phone','2026-11-27T03:31:56Z','f9f5f334d3a4d5e213522d21e0d2f7fc');
INSERT INTO "log" VALUES(481,11,57,'request-000481','{"do": {"do": "throw", "dice": [5, 1, 4, 5, 5]}}','Ada''s phone','2026-11-27T03:31:56Z','f917cc435db3461e56370143c5af94be');
INSERT INTO "log" VALUES(482,11,58,'request-000482','{"undo": true}','Ada''s phone','2026-11-27T03:31:56Z','d7542188de711c70805d23ccfd0065c3');
INSERT INTO "log" VALUES(483,11,59,'request-000483','{"do": {"do": "throw", "dice": [3, 5, 6, 2, 3]}}','Ada''s phone','2026-11-27T03:31:56Z','392575a1869d969a922f5d34a6ced21e');
INSERT INTO "log" VALUES(484,11,60,'request-000484','{"do": {"do": "keep", "dice": [2, 3, 3, 5]}}','Ada''s phone','2026-11-27T03:31:56Z','3bc32c6ce198c794d250bfc8d4114958');
INSERT INTO "log" VALUES(485,11,61,'request-000485','{"do": {"do": "throw", "dice": [4]}}','Ada''s phone','2026-11-27T03:31:56Z','bf4c234fa1e00899e85f6a9cb52e7768');
INSERT INTO "log" VALUES(486,11,62,'request-000486','{"do": {"do": "score", "category": "chance"}}','Ada''s phone','2026-11-27T03:31:56Z','a22b46b54b0b639305a694ab778e5dc5');
INSERT INTO "log" VALUES(487,11,63,'request-000487','{"do": {"do": "throw", "dice": [5, 5, 5, 6, 1]}}','Ada''s phone','2026-11-27T03:31:56Z','d6a46c04b61bf6e7df46dfdff80a8b8c');
INSERT INTO "log" VALUES(488,11,64,'request-000488','{"do": {"do": "score", "category": "twos"}}','Ada''s phone','2026-11-27T03:31:56Z','127b413552afd629f2686c231cd3ce42');
INSERT INTO "log" VALUES(489,11,65,'request-000489','{"do": {"do": "throw", "dice": [5, 6, 2, 4, 4]}}','Ada''s phone','2026-11-27T03:31:56Z','a1d221b6b027b0d1f3637d4bf54944d6');
INSERT INTO "log" VALUES(490,11,66,'request-000490','{"do": {"do": "score", "category": "large-straight"}}','Ada''s phone','2026-11-27T03:31:56Z','3f6ed4c0618e9d1c5775c798d55dc858');
INSERT INTO "log" VALUES(491,11,67,'request-000491','{"do": {"do": "throw", "dice": [2, 3, 6, 6, 2]}}','Ada''s phone','2026-11-27T03:31:56Z','ad21e02d9e0db19e48ff836ef10b31a3');
INSERT INTO "log" VALUES(492,11,68,'request-000492','{"do": {"do": "score", "category": "ones"}}','Ada''s phone','2026-11-27T03:31:56Z','44fafcff7e034bfd579a0e72b1b81e9d');
INSERT INTO "log" VALUES(493,11,69,'request-000493','{"do": {"do": "throw", "dice": [6, 4, 5, 6, 1]}}','Ada''s phone','2026-11-27T03:31:56Z','7a5dc72df3da8e9831852ad443988457');
INSERT INTO "log" VALUES(494,11,70,'request-000494','{"do": {"do": "score", "category": "fours"}}','Ada''s phone','2026-11-27T03:31:56Z','ca4f340869c7b5b7d8be1c45fe9a0281');
INSERT INTO "log" VALUES(495,11,71,'request-000495','{"undo": true}','Ada''s phone','2026-11-27T03:31:56Z','b98123c6f1a6f4e42174e0067b21b6c9');
INSERT INTO "log" VALUES(496,11,72,'request-000496','{"do": {"do": "keep", "dice": [1]}}','Ada''s phone','2026-11-27T03:31:56Z','87f6d1eab3efdc3dd3195b71dee40ec5');
INSERT INTO "log" VALUES(497,11,73,'request-000497','{"do": {"do": "throw", "dice": [1, 4, 4, 2]}}','Ada''s phone','2026-11-27T03:31:56Z','69af35170d6842fa2931a633e54c8e93');
INSERT INTO "log" VALUES(498,11,74,'request-000498','{"do": {"do": "score", "category": "threes"}}','Ada''s phone','2026-11-27T03:31:56Z','63451be70c28a0726c0a44a6117428af');
INSERT INTO "log" VALUES(499,11,75,'request-000499','{"do": {"do": "throw", "dice": [5, 6, 5, 6, 3]}}','Ada''s phone','2026-11-27T03:31:56Z','2c4fa83bf5e895582fc2ca7693821527');
INSERT INTO "log" VALUES(500,11,76,'request-000500','{"do": {"do": "score", "category": "two-pairs"}}','Ada''s phone','2026-11-27T03:31:56Z','8f6eee4549e839a275d74fab5eef4a9f');
INSERT INTO "log" VALUES(501,11,77,'request-000501','{"do": {"do": "throw", "dice": [6, 5, 3, 1, 5]}}','Ada''s phone','2026-11-27T03:31:56Z','e6c436864a7ab350c33740309ad71e71');
INSERT INTO "log" VALUES(502,11,78,'request-000502','{"do": {"do": "keep", "dice": []}}','Ada''s phone','2026-11-27T03:31:56Z','7da09611c9ec0a26d0391e93d811d0cb');
INSERT INTO "log" VALUES(503,11,79,'request-000503','{"do": {"do": "throw", "dice": [3, 3, 2, 6, 2]}}','Ada''s phone','2026-11-27T03:31:56Z','7154a31c3755dbaea2672607b678e4b0');
INSERT INTO "log" VALUES(504,11,80,'request-000504','{"do": {"do": "score", "category": "fours"}}','Ada''s phone','2026-11-27T03:31:56Z','97e563d6e5b6021b47cd2d0198b0727f');
INSERT INTO "log" VALUES(505,11,81,'request-000505','{"do": {"do": "throw", "dice": [2, 3, 4, 3, 2]}}','Ada''s phone','2026-11-27T03:31:56Z','3e9ef293552fc243afba33c62fd67cbe');
INSERT INTO "log" VALUES(506,11,82,'request-000506','{"do": {"do": "score", "category": "fours"}}','Ada''s phone','2026-11-27T03:31:56Z','f916cf8376f879bfa02591ab7be4757b');
INSERT INTO "log" VALUES(507,11,83,'request-000507','{"do": {"do": "throw", "dice": [2, 3, 3, 2, 3]}}','Ada''s phone','2026-11-27T03:31:56Z','86e173a4cea9131a8f0fb60ff05ee77b');
INSERT INTO "log" VALUES(508,11,84,'request-000508','{"do": {"do": "score", "category": "full"}}','Ada''s phone','2026-11-27T03:31:56Z','4638e1c8c721c5b1b99c289d4b56f787');
INSERT INTO "log" VALUES(509,11,85,'request-000509','{"do": {"do": "throw", "dice": [3, 1, 5, 5, 6]}}','Ada''s phone','2026-11-27T03:31:56Z','2d2574d1442b2b5c5a61e80f449dcf9b');
INSERT INTO "log" VALUES(510,11,86,'request-000510','{"do": {"do": "score", "category": "four"}}','Ada''s phone','2026-11-27T03:31:56Z','2067a02f74f3e0f4f722103c79d7db9a');
INSERT INTO "log" VALUES(511,11,87,'request-000511','{"do": {"do": "throw", "dice": [1, 4, 3, 2, 5]}}','Ada''s phone','2026-11-27T03:31:56Z','9390fe4a9de1febca2d98f0991e1f069');
INSERT INTO "log" VALUES(512,11,88,'request-000512','{"do": {"do": "score", "category": "sixes"}}','Ada''s phone','2026-11-27T03:31:56Z','c2fbc61b3a7ee5ad1e6e393321af895f');
INSERT INTO "log" VALUES(513,11,89,'request-000513','{"do": {"do": "throw", "dice": [1, 4, 6, 4, 4]}}','Ada''s phone','2026-11-27T03:31:56Z','59b90d0decc114e97a042f061b4bc429');
INSERT INTO "log" VALUES(514,11,90,'request-000514','{"undo": true}','Ada''s phone','2026-11-27T03:31:56Z','ec4a8c4b8b1dcab3557c82680d72e0f1');
INSERT INTO "log" VALUES(515,11,91,'request-000515','{"do": {"do": "throw", "dice": [5, 6, 4, 6, 1]}}','Ada''s phone','2026-11-27T03:31:56Z','e4e6c4b8099d0b2d0faca4d325c516d6');
INSERT INTO "log" VALUES(516,11,92,'request-000516','{"do": {"do": "score", "category": "large-straight"}}','Ada''s phone','2026-11-27T03:31:56Z','1bf555c7973a4886a86ea5d9658af4cb');
INSERT INTO "log" VALUES(517,12,1,'request-000517','{"do": {"do": "throw", "dice": [2, 6, 6, 2, 3, 5]}}','Ada''s phone','2026-11-27T03:31:56Z','900b88bdeae95de98735a1498a3c6b6e');
INSERT INTO "log" VALUES(518,12,2,'request-000518','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:56Z','c991745d17a3c1e52609b1b4caa83e9d');
INSERT INTO "log" VALUES(519,12,3,'request-000519','{"undo": true}','Ada''s phone','2026-11-27T03:31:56Z','023802e1004cd1db76a44f173102759d');
INSERT INTO "log" VALUES(520,12,4,'request-000520','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:56Z','767ab28aa3768dcf08b1f90120a6a118');
INSERT INTO "log" VALUES(521,12,5,'request-000521','{"do": {"do": "throw", "dice": [4, 4, 3, 6, 4]}}','Ada''s phone','2026-11-27T03:31:56Z','35c44f41ad4b48d2e1c31c2217df00e5');
INSERT INTO "log" VALUES(522,12,6,'request-000522','{"undo": true}','Ada''s phone','2026-11-27T03:31:56Z','7ab120327b29aa0377282ed985724ddf');
INSERT INTO "log" VALUES(523,12,7,'request-000523','{"do": {"do": "throw", "dice": [2, 4, 1, 1, 5]}}','Ada''s phone','2026-11-27T03:31:57Z','8be4142c2c8718d3340a2ff80465d2c6');
INSERT INTO "log" VALUES(524,12,8,'request-000524','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:57Z','39a6fe84209ff01b30ec21127a18a2a1');
INSERT INTO "log" VALUES(525,12,9,'request-000525','{"do": {"do": "throw", "dice": [6, 6, 6, 4]}}','Ada''s phone','2026-11-27T03:31:57Z','2611b537aad896ba42353bd0fcfd5ea6');
INSERT INTO "log" VALUES(526,12,10,'request-000526','{"correct": 3, "action": {"do": "throw", "dice": [2, 2, 6, 1, 1]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:57Z','13dc75e5a2a325fafaa94f6607b850d0');
INSERT INTO "log" VALUES(527,12,11,'request-000527','{"do": {"do": "set-aside", "dice": [1, 1]}}','Ada''s phone','2026-11-27T03:31:57Z','18d4daabd8761eca6e50a1b0703c9214');
INSERT INTO "log" VALUES(528,12,12,'request-000528','{"do": {"do": "throw", "dice": [1, 6, 4]}}','Ada''s phone','2026-11-27T03:31:57Z','6dddbf17f9752d407a5d831ff9642a88');
INSERT INTO "log" VALUES(529,12,13,'request-000529','{"do": {"do": "set-aside", "dice": [1]}}','Ada''s phone','2026-11-27T03:31:57Z','1f796155641c54b45ffafa95b59e783c');
INSERT INTO "log" VALUES(530,12,14,'request-000530','{"do": {"do": "throw", "dice": [3, 2]}}','Ada''s phone','2026-11-27T03:31:57Z','33ad1dec77763d9b66c17ef0f09ed142');
INSERT INTO "log" VALUES(531,12,15,'request-000531','{"do": {"do": "throw", "dice": [4, 3, 1, 3, 1, 5]}}','Ada''s phone','2026-11-27T03:31:57Z','897f044344e5f1f003be47a16183eff5');
INSERT INTO "log" VALUES(532,12,16,'request-000532','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:57Z','f628fb7b8f848bcbb1ae3402e8006ae3');
INSERT INTO "log" VALUES(533,12,17,'request-000533','{"do": {"do": "throw", "dice": [1, 6, 4, 1, 6]}}','Ada''s phone','2026-11-27T03:31:57Z','53d5f52f89916faae89436196e18e789');
INSERT INTO "log" VALUES(534,12,18,'request-000534','{"do": {"do": "set-aside", "dice": [1, 1]}}','Ada''s phone','2026-11-27T03:31:57Z','cc533bd106e1f03cc39dcbc5bbd9f154');
INSERT INTO "log" VALUES(535,12,19,'request-000535','{"do": {"do": "throw", "dice": [2, 3, 2]}}','Ada''s phone','2026-11-27T03:31:57Z','caa415ea2f3c5ff478648801fcf59a0f');
INSERT INTO "log" VALUES(536,12,20,'request-000536','{"do": {"do": "throw", "dice": [2, 2, 4, 6, 4, 5]}}','Ada''s phone','2026-11-27T03:31:57Z','55c44251a7b84cff3c88c5f1809bb11f');
INSERT INTO "log" VALUES(537,12,21,'request-000537','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:57Z','9cc0770b47f62f0dc448799c1f709a22');
INSERT INTO "log" VALUES(538,12,22,'request-000538','{"do": {"do": "throw", "dice": [3, 4, 1, 4, 3]}}','Ada''s phone','2026-11-27T03:31:57Z','cf3901bbac1c31f195cc60c03d8ce3bb');
INSERT INTO "log" VALUES(539,12,23,'request-000539','{"undo": true}','Ada''s phone','2026-11-27T03:31:57Z','ef4d98dc5e3d9ee012124c1c55558238');
INSERT INTO "log" VALUES(540,12,24,'request-000540','{"do": {"do": "throw", "dice": [3, 6, 3, 5, 6]}}','Ada''s phone','2026-11-27T03:31:57Z','2a6fb54dd1c9a6bbd8747718f20d3306');
INSERT INTO "log" VALUES(541,12,25,'request-000541','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:57Z','ee3f5d0e2118c2796bbb0b5be0de89d6');
INSERT INTO "log" VALUES(542,12,26,'request-000542','{"do": {"do": "throw", "dice": [3, 6, 5, 1]}}','Ada''s phone','2026-11-27T03:31:57Z','fa92aad88d75b60efa7fb5cff27a95ac');
INSERT INTO "log" VALUES(543,12,27,'request-000543','{"do": {"do": "set-aside", "dice": [1]}}','Ada''s phone','2026-11-27T03:31:57Z','10d53f19ecc69f3ff01be46e739d94c1');
INSERT INTO "log" VALUES(544,12,28,'request-000544','{"correct": 5, "action": {"do": "throw", "dice": [2, 4, 5]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:57Z','6d347b8b3b0645be4e91c846832e7730');
INSERT INTO "log" VALUES(545,12,29,'request-000545','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:57Z','1313591f8888020133bc30f7dd4560a5');
INSERT INTO "log" VALUES(546,12,30,'request-000546','{"do": {"do": "throw", "dice": [4, 4]}}','Ada''s phone','2026-11-27T03:31:57Z','ec6ec410d6ac22e740307cda1d990628');
INSERT INTO "log" VALUES(547,12,31,'request-000547','{"do": {"do": "throw", "dice": [5, 2, 6, 1, 3, 1]}}','Ada''s phone','2026-11-27T03:31:57Z','e9c365b4ad826aceb9d7065d209332a9');
INSERT INTO "log" VALUES(548,12,32,'request-000548','{"undo": true}','Ada''s phone','2026-11-27T03:31:57Z','c04f24a2913f32b9b8aed375abda863c');
INSERT INTO "log" VALUES(549,12,33,'request-000549','{"do": {"do": "throw", "dice": [6, 4, 5, 5, 4, 6]}}','Ada''s phone','2026-11-27T03:31:57Z','ec8f71c1784792d32c19dcdb6ae27caa');
INSERT INTO "log" VALUES(550,12,34,'request-000550','{"do": {"do": "set-aside", "dice": [5, 5]}}','Ada''s phone','2026-11-27T03:31:57Z','e976bb740c84062a7497632d8b7c6966');
INSERT INTO "log" VALUES(551,12,35,'request-000551','{"do": {"do": "throw", "dice": [2, 4, 1, 5]}}','Ada''s phone','2026-11-27T03:31:57Z','0fa9179b262cd31578d33f9e5d9c94af');
INSERT INTO "log" VALUES(552,12,36,'request-000552','{"undo": true}','Ada''s phone','2026-11-27T03:31:57Z','15e5bb88751373a3f6e48f85231d1434');
INSERT INTO "log" VALUES(553,12,37,'request-000553','{"do": {"do": "throw", "dice": [2, 3, 2, 4]}}','Ada''s phone','2026-11-27T03:31:57Z','0e9fa59c13fa1aa902e8474e1d58b131');
INSERT INTO "log" VALUES(554,12,38,'request-000554','{"do": {"do": "throw", "dice": [4, 3, 2, 2, 1, 4]}}','Ada''s phone','2026-11-27T03:31:57Z','fd955b234c00863d5d45662c321cce79');
INSERT INTO "log" VALUES(555,12,39,'request-000555','{"do": {"do": "set-aside", "dice": [1]}}','Ada''s phone','2026-11-27T03:31:57Z','48c68dd632290c3fd4540d4f523b5079');
INSERT INTO "log" VALUES(556,12,40,'request-000556','{"do": {"do": "throw", "dice": [3, 1, 3, 2, 5]}}','Ada''s phone','2026-11-27T03:31:57Z','754b84d864c4103236e024ff63c0612e');
INSERT INTO "log" VALUES(557,12,41,'request-000557','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:57Z','b1df71067fa7dafd84c2e3f56657a2eb');
INSERT INTO "log" VALUES(558,12,42,'request-000558','{"do": {"do": "throw", "dice": [4, 2, 4, 4]}}','Ada''s phone','2026-11-27T03:31:57Z','9bca3e183303b07caec22acce973f340');
INSERT INTO "log" VALUES(559,12,43,'request-000559','{"do": {"do": "set-aside", "dice": [4, 4, 4]}}','Ada''s phone','2026-11-27T03:31:57Z','9f969fc304176934c4dc37206a64f0a9');
INSERT INTO "log" VALUES(560,12,44,'request-000560','{"do": {"do": "throw", "dice": [6]}}','Ada''s phone','2026-11-27T03:31:57Z','ddc0a963a605a35da52fa685d7261332');
INSERT INTO "log" VALUES(561,12,45,'request-000561','{"do": {"do": "throw", "dice": [4, 2, 5, 1, 6, 6]}}','Ada''s phone','2026-11-27T03:31:57Z','75418168943d7c0a9a94ba1091febfbf');
INSERT INTO "log" VALUES(562,12,46,'request-000562','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:57Z','fc34d92d94a5171c1e07c3e66370a5fe');
INSERT INTO "log" VALUES(563,12,47,'request-000563','{"do": {"do": "throw", "dice": [1, 6, 5, 3, 4]}}','Ada''s phone','2026-11-27T03:31:57Z','b69ccdc620261c387e4824a003fead8c');
INSERT INTO "log" VALUES(564,13,1,'request-000564','{"do": {"do": "throw", "dice": [6, 5, 2, 6, 2, 6]}}','Ada''s phone','2026-11-27T03:31:57Z','cd16f5c47c9c26ef34a524d41f88ee95');
INSERT INTO "log" VALUES(565,13,2,'request-000565','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:57Z','152b02be3bc4169fe621aaf96c8ce892');
INSERT INTO "log" VALUES(566,13,3,'request-000566','{"do": {"do": "throw", "dice": [5, 4, 6, 2, 2]}}','Ada''s phone','2026-11-27T03:31:57Z','95b1092bc48e4b298115a6aefa538463');
INSERT INTO "log" VALUES(567,13,4,'request-000567','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:57Z','51296305ad230250ebc5c5daefdc6a55');
INSERT INTO "log" VALUES(568,13,5,'request-000568','{"do": {"do": "throw", "dice": [6, 4, 3, 6]}}','Ada''s phone','2026-11-27T03:31:57Z','84d2f77c6039351e546fc6f62d92bf70');
INSERT INTO "log" VALUES(569,13,6,'request-000569','{"do": {"do": "throw", "dice": [1, 3, 6, 4, 4, 5]}}','Ada''s phone','2026-11-27T03:31:57Z','a1a67403b7adcfe2cc5f087925a6ee40');
INSERT INTO "log" VALUES(570,13,7,'request-000570','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:57Z','2431dae2ab4968c962fefaf219da3256');
INSERT INTO "log" VALUES(571,13,8,'request-000571','{"correct": 1, "action": {"do": "throw", "dice": [1, 1, 5, 1, 5, 4]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:57Z','1eba6b4b52d9d25c0c79cd3da4347172');
INSERT INTO "log" VALUES(572,13,9,'request-000572','{"do": {"do": "throw", "dice": [3, 2, 4, 4, 1]}}','Ada''s phone','2026-11-27T03:31:57Z','6f09ab9f7c583ce67a6dc90eb1d80a59');
INSERT INTO "log" VALUES(573,13,10,'request-000573','{"do": {"do": "set-aside", "dice": [1]}}','Ada''s phone','2026-11-27T03:31:57Z','afa0199eda7886efad27672bb5d7e41f');
INSERT INTO "log" VALUES(574,13,11,'request-000574','{"do": {"do": "throw", "dice": [1, 5, 6, 6]}}','Ada''s phone','2026-11-27T03:31:57Z','84492e2d4319a4c464644027db0e6ec3');
INSERT INTO "log" VALUES(575,13,12,'request-000575','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:57Z','9f8dd14de332e8e7c27f6e5d603c8c87');
INSERT INTO "log" VALUES(576,13,13,'request-000576','{"do": {"do": "throw", "dice": [4, 2, 6]}}','Ada''s phone','2026-11-27T03:31:57Z','b60e0cd878cdeaa18d57a97384e6bcce');
INSERT INTO "log" VALUES(577,13,14,'request-000577','{"undo": true}','Ada''s phone','2026-11-27T03:31:57Z','02df981495d474d187a12e5483ce2ec2');
INSERT INTO "log" VALUES(578,13,15,'request-000578','{"do": {"do": "throw", "dice": [2, 6, 5]}}','Ada''s phone','2026-11-27T03:31:57Z','367f252375f703f44f38fd687827f9b5');
INSERT INTO "log" VALUES(579,13,16,'request-000579','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:57Z','9ae64382ed6bc12920f5d2fe738095d7');
INSERT INTO "log" VALUES(580,13,17,'request-000580','{"do": {"do": "throw", "dice": [4, 1]}}','Ada''s phone','2026-11-27T03:31:57Z','5170928ae3a095974906c44c83cc1e29');
INSERT INTO "log" VALUES(581,13,18,'request-000581','{"do": {"do": "set-aside", "dice": [1]}}','Ada''s phone','2026-11-27T03:31:57Z','773f4b364fae48a22dfb6ed5848758d8');
INSERT INTO "log" VALUES(582,13,19,'request-000582','{"do": {"do": "bank"}}','Ada''s phone','2026-11-27T03:31:57Z','6b1f7a1fb6b803b80a1b11157af3ed3b');
INSERT INTO "log" VALUES(583,13,20,'request-000583','{"do": {"do": "throw", "dice": [5, 5, 2, 5, 5, 6]}}','Ada''s phone','2026-11-27T03:31:57Z','1fbc9bd3cef403cb0fdb3133cb9c1375');
INSERT INTO "log" VALUES(584,13,21,'request-000584','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:57Z','262b82e86a773df24c7f82193e7e7355');
INSERT INTO "log" VALUES(585,13,22,'request-000585','{"do": {"do": "throw", "dice": [3, 1, 2, 2, 5]}}','Ada''s phone','2026-11-27T03:31:57Z','b14b99e660c2771779431794998c4020');
INSERT INTO "log" VALUES(586,13,23,'request-000586','{"do": {"do": "set-aside", "dice": [1]}}','Ada''s phone','2026-11-27T03:31:57Z','ba5f64f7a8326e4a2ba6858cee9ce819');
INSERT INTO "log" VALUES(587,13,24,'request-000587','{"do": {"do": "throw", "dice": [1, 6, 2, 6]}}','Ada''s phone','2026-11-27T03:31:57Z','13adadf5317d47dd9123dd2ffd36baa4');
INSERT INTO "log" VALUES(588,13,25,'request-000588','{"do": {"do": "set-aside", "dice": [1]}}','Ada''s phone','2026-11-27T03:31:57Z','808545a3d7b49967f2492a7a367c3db5');
INSERT INTO "log" VALUES(589,13,26,'request-000589','{"correct": 1, "action": {"do": "throw", "dice": [4, 1, 4, 2, 3, 5]}, "drop_tail": true}','Ada''s phone','2026-11-27T03:31:57Z','2b1b0c28715762a60ad0bf80fcb3dfa0');
INSERT INTO "log" VALUES(590,13,27,'request-000590','{"do": {"do": "throw", "dice": [6, 4, 4]}}','Ada''s phone','2026-11-27T03:31:57Z','26c1009d9ac2cbd5862cda7de417e591');
INSERT INTO "log" VALUES(591,13,28,'request-000591','{"do": {"do": "throw", "dice": [3, 3, 4, 6, 4, 1]}}','Ada''s phone','2026-11-27T03:31:57Z','30b7125b8c9e66a240be4cafdce5cb09');
INSERT INTO "log" VALUES(592,13,29,'request-000592','{"do": {"do": "set-aside", "dice": [1]}}','Ada''s phone','2026-11-27T03:31:57Z','d94ad3f060f9694ea44b4e800852d064');
INSERT INTO "log" VALUES(593,13,30,'request-000593','{"do": {"do": "throw", "dice": [2, 6, 6, 5, 4]}}','Ada''s phone','2026-11-27T03:31:57Z','8bbd4e7275d4ee423787b0d2ae238ea4');
INSERT INTO "log" VALUES(594,13,31,'request-000594','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:57Z','17c6d4a9edff1ecce731476a94c64a11');
INSERT INTO "log" VALUES(595,13,32,'request-000595','{"do": {"do": "throw", "dice": [1, 3, 3, 4]}}','Ada''s phone','2026-11-27T03:31:57Z','f21113b8b7f3a1924e7d8575c1562c7d');
INSERT INTO "log" VALUES(596,13,33,'request-000596','{"undo": true}','Ada''s phone','2026-11-27T03:31:57Z','1ed513c1bdfe4d4b4d32eae751f9c215');
INSERT INTO "log" VALUES(597,13,34,'request-000597','{"do": {"do": "throw", "dice": [6, 1, 1, 6]}}','Ada''s phone','2026-11-27T03:31:57Z','e9475e2b8b7c842dfb3eee662c90f44a');
INSERT INTO "log" VALUES(598,13,35,'request-000598','{"do": {"do": "set-aside", "dice": [1, 1]}}','Ada''s phone','2026-11-27T03:31:57Z','3dc9bfcf5546c1e8149c670d15a83a0d');
INSERT INTO "log" VALUES(599,13,36,'request-000599','{"undo": true}','Ada''s phone','2026-11-27T03:31:57Z','b2b48309ac8f639eb276649f455409cc');
INSERT INTO "log" VALUES(600,13,37,'request-000600','{"do": {"do": "set-aside", "dice": [1]}}','Ada''s phone','2026-11-27T03:31:57Z','e5379d6c9c9d2706de0fcfe262b2382d');
INSERT INTO "log" VALUES(601,13,38,'request-000601','{"do": {"do": "throw", "dice": [4, 2, 5]}}','Ada''s phone','2026-11-27T03:31:57Z','bb628d624dc75018f5ad2b9ec03e8dcb');
INSERT INTO "log" VALUES(602,13,39,'request-000602','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:57Z','4a83ec4c105172f144b85147827026cc');
INSERT INTO "log" VALUES(603,13,40,'request-000603','{"undo": true}','Ada''s phone','2026-11-27T03:31:57Z','b310140f1a6e62bc3fdcf01a52cf198d');
INSERT INTO "log" VALUES(604,13,41,'request-000604','{"do": {"do": "set-aside", "dice": [5]}}','Ada''s phone','2026-11-27T03:31:57Z','0a79095c26fadb60101acee72a2fecaf');
INSERT INTO "log" VALUES(605,13,42,'request-000605','{"do": {"do": "bank"}}','Ada''s phone','2026-11-27T03:31:57Z','2cdd43a266d107a5f73f827cf20c98bc');
INSERT INTO "log" VALUES(606,13,43,'request-000606','{"do": {"do": "throw", "dice": [2, 5, 3, 2, 5, 5]}}','Ada''s phone','2026-11-27T03:31:57Z','a34025b4030f7dc7d463254a2d6a47bc');
INSERT INTO "log" VALUES(607,13,44,'request-000607','{"do": {"do": "set-aside", "dice": [5, 5, 5]}}','Ada''s phone','2026-11-27T03:31:57Z','9e3a0f244d395fab4d0a7b6e0fd376a9');
INSERT INTO "log" VALUES(608,13,45,'request-000608','{"do": {"do": "throw", "dice": [1, 1, 6]}}','Ada''s phone','2026-11-27T03:31:57Z','35c48d2371436c4d8ef6474dfb4ca20c');
INSERT INTO "log" VALUES(609,13,46,'request-000609','{"do": {"do": "set-aside", "dice": [1]}}','Ada''s phone','2026-11-27T03:31:57Z','834b7d99fb10fffbc8f61a830895e3ce');
CREATE TABLE own_games (
	digest VARCHAR(16) NOT NULL, 
	name VARCHAR(40) NOT NULL, 
	file TEXT NOT NULL, 
	sum VARCHAR(32) NOT NULL, 
	PRIMARY KEY (digest)
);
CREATE TABLE owners (
	table_id INTEGER NOT NULL, 
	device VARCHAR(64) NOT NULL, 
	closed BOOLEAN DEFAULT FALSE NOT NULL, 
	guarded BOOLEAN DEFAULT FALSE NOT NULL, 
	sum VARCHAR(32) NOT NULL, 
	PRIMARY KEY (table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
INSERT INTO "owners" VALUES(1,'a-phone-of-an-older-version',0,0,'80d37b6d74b7d1aafd0d33644fb4f54c');
INSERT INTO "owners" VALUES(2,'a-phone-of-an-older-version',0,0,'950a7d6eea9a08a038e58a386cd5e5b6');
INSERT INTO "owners" VALUES(3,'a-phone-of-an-older-version',0,0,'d0fa9ae9456042f6e936c8bb4e22962b');
INSERT INTO "owners" VALUES(4,'a-phone-of-an-older-version',0,0,'cdfced3397b92f40f370dbbf5a2aefc8');
INSERT INTO "owners" VALUES(5,'a-phone-of-an-older-version',0,0,'5e41841e066ba2197d96557fb46b7f6c');
INSERT INTO "owners" VALUES(6,'a-phone-of-an-older-version',0,0,'06f6933c56ef9deddfddad9b929cdb85');
INSERT INTO "owners" VALUES(7,'a-phone-of-an-older-version',0,0,'749ea7f4756167605b77d07aea603297');
INSERT INTO "owners" VALUES(8,'a-phone-of-an-older-version',0,0,'a52b53395aa326e3e569a6e1763b2ab7');
INSERT INTO "owners" VALUES(9,'a-phone-of-an-older-version',0,0,'32192f481f906c25572acfa6554ec713');
INSERT INTO "owners" VALUES(10,'a-phone-of-an-older-version',0,0,'fab50ffa20b85924867e1ee16d2b999a');
INSERT INTO "owners" VALUES(11,'a-phone-of-an-older-version',0,0,'e740fedf4a8e349a0eef0f70706893fe');
INSERT INTO "owners" VALUES(12,'a-phone-of-an-older-version',0,0,'2d0c192666b1ce2bd2f0d5caf5eb8c3d');
INSERT INTO "owners" VALUES(13,'a-phone-of-an-older-version',0,0,'cf8595725bd8583838b9b332d01426f1');
CREATE TABLE pending (
	table_id INTEGER NOT NULL, 
	reading VARCHAR(64) NOT NULL, 
	body TEXT NOT NULL, 
	sum VARCHAR(32) DEFAULT '' NOT NULL, 
	PRIMARY KEY (table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "pending" VALUES(1,'a-photo-under-review','{"id": "a-photo-under-review", "status": "waiting", "place": 1, "source": "photo", "device": "", "expects": 6, "beside": [], "keep": null, "version": 43, "dice": [], "aside": [], "asks": [], "sure": false, "problem": null}','3ecbc7c014cae5b82d7116fcd1791aa1');
CREATE TABLE phones (
	table_id INTEGER NOT NULL, 
	device VARCHAR(64) NOT NULL, 
	name VARCHAR(60) NOT NULL, 
	at VARCHAR(32) NOT NULL, 
	out BOOLEAN DEFAULT FALSE NOT NULL, 
	sum VARCHAR(32) NOT NULL, 
	PRIMARY KEY (table_id, device), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
INSERT INTO "phones" VALUES(1,'a-phone-of-an-older-version','Ada''s phone','2026-11-27T03:31:51Z',0,'f98d4dad28391fca2a3294d85b7b069e');
INSERT INTO "phones" VALUES(2,'a-phone-of-an-older-version','Ada''s phone','2026-11-27T03:31:52Z',0,'d4205ff6779162eaad23456d295f227d');
INSERT INTO "phones" VALUES(3,'a-phone-of-an-older-version','Ada''s phone','2026-11-27T03:31:52Z',0,'1dcab64a281103bc10461a22b4408f7a');
INSERT INTO "phones" VALUES(4,'a-phone-of-an-older-version','Ada''s phone','2026-11-27T03:31:53Z',0,'453700608c21b34b09c838dd441afbc1');
INSERT INTO "phones" VALUES(5,'a-phone-of-an-older-version','Ada''s phone','2026-11-27T03:31:53Z',0,'52781539e44a202fdede9050c33ce75f');
INSERT INTO "phones" VALUES(6,'a-phone-of-an-older-version','Ada''s phone','2026-11-27T03:31:53Z',0,'d475dae42c8c3486d7b0c9d23e9a5cc8');
INSERT INTO "phones" VALUES(7,'a-phone-of-an-older-version','Ada''s phone','2026-11-27T03:31:54Z',0,'6ba4337ed3a6e8a547a38cd82dd12faf');
INSERT INTO "phones" VALUES(8,'a-phone-of-an-older-version','Ada''s phone','2026-11-27T03:31:54Z',0,'e23d19952e70140451658cc3ccb8f578');
INSERT INTO "phones" VALUES(9,'a-phone-of-an-older-version','Ada''s phone','2026-11-27T03:31:55Z',0,'80298b21ba75333b4aabbee0aec372d4');
INSERT INTO "phones" VALUES(10,'a-phone-of-an-older-version','Ada''s phone','2026-11-27T03:31:55Z',0,'c5aa31f0f5ad4cf2293599b78ccc8dd7');
INSERT INTO "phones" VALUES(11,'a-phone-of-an-older-version','Ada''s phone','2026-11-27T03:31:56Z',0,'2d4da16cace594cdc4d7e83e9197bda9');
INSERT INTO "phones" VALUES(12,'a-phone-of-an-older-version','Ada''s phone','2026-11-27T03:31:56Z',0,'c3c63557dcd3ccf4c150f17f5add0c1d');
INSERT INTO "phones" VALUES(13,'a-phone-of-an-older-version','Ada''s phone','2026-11-27T03:31:57Z',0,'7c102fbbda33028294961c825a6350a8');
CREATE TABLE pictures (
	table_id INTEGER NOT NULL, 
	seq INTEGER NOT NULL, 
	hash VARCHAR(64) NOT NULL, 
	body BLOB NOT NULL, 
	sum VARCHAR(32) NOT NULL, 
	PRIMARY KEY (table_id, seq), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE TABLE player_games (
	table_id INTEGER NOT NULL, 
	player INTEGER NOT NULL, 
	person TEXT NOT NULL, 
	game VARCHAR(40) NOT NULL, 
	ended_no INTEGER NOT NULL, 
	name VARCHAR(60) NOT NULL, 
	score INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	imported BOOLEAN NOT NULL, 
	digest VARCHAR(64), 
	replayed INTEGER DEFAULT 0 NOT NULL, 
	best INTEGER, 
	busts INTEGER, 
	turns INTEGER, 
	fell VARCHAR(80), 
	sum VARCHAR(32) NOT NULL, 
	PRIMARY KEY (table_id, player), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
INSERT INTO "player_games" VALUES(4,0,'ada','sequence',185,'Ada',100,1,0,'aeed91654141880a367eb8d48c213c6ad9ada4a42bd5d20a4f3e3db35d9e224d',0,NULL,NULL,NULL,NULL,'16d82a4ac9a73ec2d7a2210d22761f33');
INSERT INTO "player_games" VALUES(4,1,'bob','sequence',185,'Bob',80,2,0,'aeed91654141880a367eb8d48c213c6ad9ada4a42bd5d20a4f3e3db35d9e224d',0,NULL,NULL,NULL,NULL,'7aa66aae82edc09bfbc30550a34b70ef');
INSERT INTO "player_games" VALUES(5,0,'ada','forbidden-numbers',206,'Ada',23,2,0,'57196bf195091858551cc2771252fc2a74fa958808111b8a630f8d9bf76c8aec',0,NULL,NULL,NULL,NULL,'cabc1c500c644456481e87205fdfb7fe');
INSERT INTO "player_games" VALUES(5,1,'bob','forbidden-numbers',206,'Bob',33,1,0,'57196bf195091858551cc2771252fc2a74fa958808111b8a630f8d9bf76c8aec',0,NULL,NULL,NULL,NULL,'f40375433a54fc12315d5889457f00a1');
INSERT INTO "player_games" VALUES(6,0,'čeněk','kosci-single',247,'Čeněk',58,1,0,'2bccb0dee7e918820cf1e450598f6075155872ba1a393e4ce943c418526a59c0',0,NULL,NULL,NULL,NULL,'1c2ff6c69182873a31fdf9dfcf768c5f');
INSERT INTO "player_games" VALUES(11,0,'ada','yatzy',527,'Ada',37,2,0,'fb87f5c7f1d481e26a0dff7207470616f084c20095f2229a94f75c9377eea649',0,NULL,NULL,NULL,NULL,'50a01c0fec5369af0aa88a84ee402aac');
INSERT INTO "player_games" VALUES(11,1,'žofie','yatzy',527,'Žofie',59,1,0,'fb87f5c7f1d481e26a0dff7207470616f084c20095f2229a94f75c9377eea649',0,NULL,NULL,NULL,NULL,'6f6e7aa32d8323fc4404d1baeaaba363');
CREATE TABLE preferences (
	table_id INTEGER NOT NULL, 
	advice VARCHAR(8) NOT NULL, 
	sum VARCHAR(32) NOT NULL, 
	PRIMARY KEY (table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE TABLE programs (
	table_id INTEGER NOT NULL, 
	hash VARCHAR(64) NOT NULL, 
	name VARCHAR(60) NOT NULL, 
	may VARCHAR(8) NOT NULL, 
	at VARCHAR(32) NOT NULL, 
	sum VARCHAR(32) NOT NULL, 
	PRIMARY KEY (table_id, hash), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE TABLE results (
	table_id INTEGER NOT NULL, 
	player INTEGER NOT NULL, 
	name VARCHAR(60) NOT NULL, 
	score INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	sum VARCHAR(32) DEFAULT '' NOT NULL, 
	PRIMARY KEY (table_id, player), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "results" VALUES(4,0,'Ada',100,1,'64c7de8515b5ee8a05b2a624607f9c11');
INSERT INTO "results" VALUES(4,1,'Bob',80,2,'e9af29eb328e9e20ae3c3ad6f396af62');
INSERT INTO "results" VALUES(5,0,'Ada',23,2,'4d4fa693b6ca478a8da16b9dd520c589');
INSERT INTO "results" VALUES(5,1,'Bob',33,1,'214410c50b1aa3d930edecb3471de08d');
INSERT INTO "results" VALUES(6,0,'Čeněk',58,1,'a456ff81666a550ade46bb3e44f16d32');
INSERT INTO "results" VALUES(11,0,'Ada',37,2,'8413ccfa5ce7e0a8b5dc0fe1b753192f');
INSERT INTO "results" VALUES(11,1,'Žofie',59,1,'bcf6e98e82acb6af8442cc82d7ef65e5');
CREATE TABLE schema_version (
	version INTEGER NOT NULL, 
	PRIMARY KEY (version)
);
INSERT INTO "schema_version" VALUES(5);
CREATE TABLE setups (
	table_id INTEGER NOT NULL, 
	"key" VARCHAR(64) NOT NULL, 
	game VARCHAR(40) NOT NULL, 
	options TEXT NOT NULL, 
	players TEXT NOT NULL, 
	keep_corrections BOOLEAN NOT NULL, 
	created_at VARCHAR(32) NOT NULL, 
	sum VARCHAR(32) NOT NULL, 
	PRIMARY KEY (table_id)
);
INSERT INTO "setups" VALUES(1,'W23uj_PUz0yPyXw2UwJKi1yF','ones-and-fives','{"target": 10000, "minimum": 400, "bank_with_at_most": 2, "finish_round": false, "two_two_two_is_300": false}','["Ada", "Bob"]',0,'2026-11-27T03:31:51Z','f360fa8ccf4573aa074ec6945bb856fe');
INSERT INTO "setups" VALUES(2,'t11AvCik8z_LivXBRUi0czbe','six-dice','{"target": 10000, "minimum": 350, "pairs_may_repeat": false, "confirm": "single-throw", "finish_round": false}','["Ada", "Bob"]',0,'2026-11-27T03:31:52Z','d30aaac34e4724d9c6d3caaf80874092');
INSERT INTO "setups" VALUES(3,'LnWvSu5JwaL6eJ2kYYooosF9','drapky','{"exact_two_plus_three": false, "exact_poker": false}','["Ada", "Bob"]',0,'2026-11-27T03:31:52Z','aadc2e1bf41ca95346eae46cb907156e');
INSERT INTO "setups" VALUES(4,'FLSsYUKxXy_Rt0wJb9zVDzrt','sequence','{"target": 100, "three_ones_wipe": false, "finish_round": false}','["Ada", "Bob"]',0,'2026-11-27T03:31:53Z','d9c13a69655169b6e330c11c45434061');
INSERT INTO "setups" VALUES(5,'w-1ieXzwp8I2XDQZzg0x_bm-','forbidden-numbers','{"rounds": 1}','["Ada", "Bob"]',0,'2026-11-27T03:31:53Z','3456b98a0ed6eccebbeb5eb52ca5504e');
INSERT INTO "setups" VALUES(6,'N7U4ge7yQd1ih0yU8711zTGo','kosci-single','{"zero_only_if_nothing_fits": false, "hundreds_need_first": false}','["Čeněk"]',0,'2026-11-27T03:31:53Z','2fd586bf4b6bbee65c858f0904979810');
INSERT INTO "setups" VALUES(7,'0hBqxFsuiptVv0ftwJXJPAQw','kosci-triple','{"zero_only_if_nothing_fits": false, "hundreds_need_first": false}','["Ada", "Bob"]',0,'2026-11-27T03:31:54Z','bef68623fd7d2ecf65c5077c1847a534');
INSERT INTO "setups" VALUES(8,'xszWkFPxevugizPDjBqPMJ0U','kosci','{"first_general_is_joker": false, "hundreds_need_first": true}','["Ada", "Bob"]',0,'2026-11-27T03:31:54Z','03fcd8e858befb8e63d96f9ada853ae6');
INSERT INTO "setups" VALUES(9,'_7Lg-MRUNKJKOSMuYj_XQSCF','knaster','{"line_points": {"r1": 9, "r2": 8, "r3": 7, "r4": 6, "r5": 5, "c1": 9, "c2": 8, "c3": 7, "c4": 6, "c5": 5, "d1": 10, "d2": 10}}','["Ada", "Bob"]',0,'2026-11-27T03:31:55Z','5040f00bcb74a546924d1a5017bf6ba5');
INSERT INTO "setups" VALUES(10,'c9MfO1iZnB892P_6r1ZmZoUQ','yahtzee','{"joker": "forced"}','["Ada", "Bob"]',0,'2026-11-27T03:31:55Z','07a795c02f992ef6ce7e0f0f963ad17f');
INSERT INTO "setups" VALUES(11,'FZgUfufTVlx_gkYo1Bs0Q5ut','yatzy','{}','["Ada", "Žofie"]',0,'2026-11-27T03:31:56Z','d79839695e3dc9b59c8a6d2fb20905f0');
INSERT INTO "setups" VALUES(12,'vCvOm6r8OU2M8MA_UWiUAFjV','farkle','{"target": 10000, "minimum": 0, "opening": 500, "hot_dice": "may"}','["Ada", "Bob"]',0,'2026-11-27T03:31:56Z','927ec1bcb5d077c867cf4acae6ca05cb');
INSERT INTO "setups" VALUES(13,'yhvMG3WibRQ7mqZQCXxmqlk9','zilch','{"target": 10000, "minimum": 300}','["Ada", "Bob"]',0,'2026-11-27T03:31:57Z','1667db7d1fe8934e8d79fed577a463aa');
CREATE TABLE stale_games (
	table_id INTEGER NOT NULL, 
	PRIMARY KEY (table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE TABLE tables (
	id INTEGER NOT NULL, 
	"key" VARCHAR(64) NOT NULL, 
	code VARCHAR(8) NOT NULL, 
	game VARCHAR(40) NOT NULL, 
	options TEXT NOT NULL, 
	players TEXT NOT NULL, 
	keep_corrections BOOLEAN NOT NULL, 
	created_at VARCHAR(32) NOT NULL, 
	active_at VARCHAR(32) NOT NULL, 
	finished_at VARCHAR(32), 
	active_no INTEGER DEFAULT 0 NOT NULL, 
	next_key VARCHAR(64), 
	digest VARCHAR(64), 
	lines INTEGER DEFAULT 0 NOT NULL, 
	head VARCHAR(32) DEFAULT '' NOT NULL, 
	lost INTEGER, 
	sum VARCHAR(32) DEFAULT '' NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE ("key")
);
INSERT INTO "tables" VALUES(1,'W23uj_PUz0yPyXw2UwJKi1yF','VUAGMZ','ones-and-fives','{"target": 10000, "minimum": 400, "bank_with_at_most": 2, "finish_round": false, "two_two_two_is_300": false}','["Ada", "Bob"]',0,'2026-11-27T03:31:51Z','2026-11-27T03:31:52Z',NULL,44,NULL,NULL,43,'330dd28a6e32c2db088213d9dd410ec6',NULL,'191009245edd0493fce2b887a8d57221');
INSERT INTO "tables" VALUES(2,'t11AvCik8z_LivXBRUi0czbe','XGCRTV','six-dice','{"target": 10000, "minimum": 350, "pairs_may_repeat": false, "confirm": "single-throw", "finish_round": false}','["Ada", "Bob"]',0,'2026-11-27T03:31:52Z','2026-11-27T03:31:52Z',NULL,91,NULL,NULL,46,'bc3024ccd4b7e4efc141a131f6dd0f31',NULL,'5bca9b4e0aaa544d6ae0db097eb48d51');
INSERT INTO "tables" VALUES(3,'LnWvSu5JwaL6eJ2kYYooosF9','JMKAVM','drapky','{"exact_two_plus_three": false, "exact_poker": false}','["Ada", "Bob"]',0,'2026-11-27T03:31:52Z','2026-11-27T03:31:53Z',NULL,139,NULL,NULL,47,'1854c5123ca638943a631e8496ec93fa',NULL,'939eba808acc3e58f8f41d11bfc02df9');
INSERT INTO "tables" VALUES(4,'FLSsYUKxXy_Rt0wJb9zVDzrt','SLLSMB','sequence','{"target": 100, "three_ones_wipe": false, "finish_round": false}','["Ada", "Bob"]',0,'2026-11-27T03:31:53Z','2026-11-27T03:31:53Z','2026-11-27T03:31:53Z',185,NULL,'aeed91654141880a367eb8d48c213c6ad9ada4a42bd5d20a4f3e3db35d9e224d',45,'9814b4527f14a18c7a207a4a68a0d58f',NULL,'29eeaee8ed2822125776ff9ec150da88');
INSERT INTO "tables" VALUES(5,'w-1ieXzwp8I2XDQZzg0x_bm-','BLWAZW','forbidden-numbers','{"rounds": 1}','["Ada", "Bob"]',0,'2026-11-27T03:31:53Z','2026-11-27T03:31:53Z','2026-11-27T03:31:53Z',206,NULL,'57196bf195091858551cc2771252fc2a74fa958808111b8a630f8d9bf76c8aec',20,'dfcb2d1e286d6383264a3b8dbf9e780e',NULL,'e2bf17905696acaa0ded8c52d731bb4f');
INSERT INTO "tables" VALUES(6,'N7U4ge7yQd1ih0yU8711zTGo','MYDKYL','kosci-single','{"zero_only_if_nothing_fits": false, "hundreds_need_first": false}','["Čeněk"]',0,'2026-11-27T03:31:53Z','2026-11-27T03:31:54Z','2026-11-27T03:31:54Z',247,NULL,'2bccb0dee7e918820cf1e450598f6075155872ba1a393e4ce943c418526a59c0',40,'51aa65715b6ff6f0972d5b3c0929a2c9',NULL,'f0aad9b27fe94f2669cd41c1170e4108');
INSERT INTO "tables" VALUES(7,'0hBqxFsuiptVv0ftwJXJPAQw','AMABCW','kosci-triple','{"zero_only_if_nothing_fits": false, "hundreds_need_first": false}','["Ada", "Bob"]',0,'2026-11-27T03:31:54Z','2026-11-27T03:31:54Z',NULL,294,NULL,NULL,46,'d5525b24bd18d6cc0a3bafb54e2d35da',NULL,'b4ee436df0b470e5cc0adc917770fe4b');
INSERT INTO "tables" VALUES(8,'xszWkFPxevugizPDjBqPMJ0U','GVBYVL','kosci','{"first_general_is_joker": false, "hundreds_need_first": true}','["Ada", "Bob"]',0,'2026-11-27T03:31:54Z','2026-11-27T03:31:55Z',NULL,340,NULL,NULL,45,'8055664ede5178fde4c1f4936acd2183',NULL,'2407ced896be853e903a1af13322631a');
INSERT INTO "tables" VALUES(9,'_7Lg-MRUNKJKOSMuYj_XQSCF','ASGMFZ','knaster','{"line_points": {"r1": 9, "r2": 8, "r3": 7, "r4": 6, "r5": 5, "c1": 9, "c2": 8, "c3": 7, "c4": 6, "c5": 5, "d1": 10, "d2": 10}}','["Ada", "Bob"]',0,'2026-11-27T03:31:55Z','2026-11-27T03:31:55Z',NULL,389,NULL,NULL,48,'1f4fba0761c514ba85dd87cb9b5b97b5',NULL,'bcb4234b688ef2dade682e2c028b0b0b');
INSERT INTO "tables" VALUES(10,'c9MfO1iZnB892P_6r1ZmZoUQ','UMXEUL','yahtzee','{"joker": "forced"}','["Ada", "Bob"]',0,'2026-11-27T03:31:55Z','2026-11-27T03:31:56Z',NULL,434,NULL,NULL,44,'46d20039e0690afc82cd7632a8c61a33',NULL,'8fff3abaade7d1cd262e30a685936cdc');
INSERT INTO "tables" VALUES(11,'FZgUfufTVlx_gkYo1Bs0Q5ut','JMVYLW','yatzy','{}','["Ada", "Žofie"]',0,'2026-11-27T03:31:56Z','2026-11-27T03:31:56Z','2026-11-27T03:31:56Z',527,NULL,'fb87f5c7f1d481e26a0dff7207470616f084c20095f2229a94f75c9377eea649',92,'1bf555c7973a4886a86ea5d9658af4cb',NULL,'6349f3846220fd1a2d14207f8a71684f');
INSERT INTO "tables" VALUES(12,'vCvOm6r8OU2M8MA_UWiUAFjV','WBFTZD','farkle','{"target": 10000, "minimum": 0, "opening": 500, "hot_dice": "may"}','["Ada", "Bob"]',0,'2026-11-27T03:31:56Z','2026-11-27T03:31:57Z',NULL,575,NULL,NULL,47,'b69ccdc620261c387e4824a003fead8c',NULL,'6eadf72a412e9b9c413d83ae4f348a22');
INSERT INTO "tables" VALUES(13,'yhvMG3WibRQ7mqZQCXxmqlk9','KVDJXL','zilch','{"target": 10000, "minimum": 300}','["Ada", "Bob"]',0,'2026-11-27T03:31:57Z','2026-11-27T03:31:57Z',NULL,622,NULL,NULL,46,'834b7d99fb10fffbc8f61a830895e3ce',NULL,'42a580b5b4b9cd93deeaa2b6eebaeb8c');
CREATE TABLE visits (
	device VARCHAR(64) NOT NULL, 
	table_id INTEGER NOT NULL, 
	at VARCHAR(32) NOT NULL, 
	hidden BOOLEAN DEFAULT FALSE NOT NULL, 
	PRIMARY KEY (device, table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "visits" VALUES('a-phone-of-an-older-version',1,'2026-11-27T03:31:51Z',0);
INSERT INTO "visits" VALUES('a-phone-of-an-older-version',2,'2026-11-27T03:31:52Z',0);
INSERT INTO "visits" VALUES('a-phone-of-an-older-version',3,'2026-11-27T03:31:52Z',0);
INSERT INTO "visits" VALUES('a-phone-of-an-older-version',4,'2026-11-27T03:31:53Z',0);
INSERT INTO "visits" VALUES('a-phone-of-an-older-version',5,'2026-11-27T03:31:53Z',0);
INSERT INTO "visits" VALUES('a-phone-of-an-older-version',6,'2026-11-27T03:31:53Z',0);
INSERT INTO "visits" VALUES('a-phone-of-an-older-version',7,'2026-11-27T03:31:54Z',0);
INSERT INTO "visits" VALUES('a-phone-of-an-older-version',8,'2026-11-27T03:31:54Z',0);
INSERT INTO "visits" VALUES('a-phone-of-an-older-version',9,'2026-11-27T03:31:55Z',0);
INSERT INTO "visits" VALUES('a-phone-of-an-older-version',10,'2026-11-27T03:31:55Z',0);
INSERT INTO "visits" VALUES('a-phone-of-an-older-version',11,'2026-11-27T03:31:56Z',0);
INSERT INTO "visits" VALUES('a-phone-of-an-older-version',12,'2026-11-27T03:31:56Z',0);
INSERT INTO "visits" VALUES('a-phone-of-an-older-version',13,'2026-11-27T03:31:57Z',0);
CREATE TABLE webhooks (
	table_id INTEGER NOT NULL, 
	id VARCHAR(16) NOT NULL, 
	name VARCHAR(60) NOT NULL, 
	address VARCHAR(300) NOT NULL, 
	secret VARCHAR(64) NOT NULL, 
	maker VARCHAR(64) NOT NULL, 
	at VARCHAR(32) NOT NULL, 
	sum VARCHAR(32) NOT NULL, 
	PRIMARY KEY (table_id, id), 
	FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE
);
CREATE INDEX ix_tables_code ON tables (code);
CREATE INDEX ix_tables_running ON tables (active_no) WHERE finished_at IS NULL;
CREATE INDEX ix_tables_active ON tables (active_no);
CREATE INDEX ix_tables_next_key ON tables (next_key);
CREATE INDEX ix_deletions_mark ON deletions (mark);
CREATE INDEX ix_dice_sets_name ON dice_sets (name, table_id);
CREATE INDEX ix_programs_hash ON programs (hash);
CREATE INDEX ix_visits_table ON visits (table_id);
CREATE INDEX ix_player_games_digest ON player_games (digest);
CREATE INDEX ix_player_games_person ON player_games (person, game, ended_no);
CREATE TRIGGER results_insert AFTER INSERT ON results BEGIN INSERT OR IGNORE INTO stale_games (table_id) VALUES (NEW.table_id); END;
CREATE TRIGGER results_delete AFTER DELETE ON results BEGIN INSERT OR IGNORE INTO stale_games (table_id) VALUES (OLD.table_id); END;
COMMIT;
