/** History entries that tests insert directly, and the history queries whose plans are tested. */
export const insertEntry = (kind: string, id: number): string =>
  `insert into history (actor_kind, operation, object_kind, object_id) values ('operator', 'test', '${kind}', ${id})`;

export const historyReads = [
  {
    list: 'the history of an experiment',
    index: 'history_chain_index',
    rows: 1,
    sql: `select id from history where chain = 'experiment' and chain_id = 77 order by sequence`,
  },
  {
    list: 'the history of a user',
    index: 'history_object_index',
    rows: 1,
    sql: `select id from history
      where chain in ('users', 'roles', 'workflows', 'settings') and object_kind = 'user' and object_id = 77 order by id`,
  },
  {
    list: 'the history of a person',
    index: 'history_person_index',
    rows: 1,
    sql: `select id from history where person = 'user' and person_id = 77 order by id`,
  },
  {
    list: 'a page of the changes by a user',
    index: 'history_actor_index',
    rows: 100,
    sql: `select id from history where actor_kind = 'user' and actor_id = 1 and id < 200000 order by id desc limit 100`,
  },
  {
    list: 'the tail of the history',
    index: 'history_tail_index',
    rows: 101,
    sql: `select id from history where (xid, id) > ((select xid from history where id = 30000), 30000)
      and xid < pg_snapshot_xmin(pg_current_snapshot()) order by xid, id limit 100`,
  },
];
