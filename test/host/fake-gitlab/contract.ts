/**
 * The calls of GitLab's REST API that weft makes, with what GitLab documents about each: parameters with their types, and fields of
 * its answers. No package registry has GitLab's own description, so this table was written by hand from docs.gitlab.com, "Merge
 * requests API", "Notes API", "Projects API" and "Users API", and compared with doc/api/openapi/openapi_v3.yaml of gitlab-org/gitlab:
 * paths, parameters, statuses and names of fields. That description has neither what may be null nor most types; those are from the
 * documentation and from lib/api/entities of the same repository.
 */
export interface Described {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api/v4`. */
  readonly path: string;
  readonly query?: Fields;
  readonly body?: Fields;
  readonly required?: readonly string[];
  /** The status of a success, and the fields that its answer always has. */
  readonly status: number;
  readonly answer: Fields | null;
  readonly isList?: boolean;
}

export type Fields = Readonly<Record<string, FieldType>>;

export type FieldType =
  | ('text' | 'text or null' | 'number' | 'flag' | 'texts' | 'numbers' | 'user' | 'users' | 'user or null')
  | ('number or null' | 'text or missing')
  | readonly string[];

const PAGING: Fields = { page: 'number', per_page: 'number' };

const MERGE_REQUEST: Fields = {
  ...{ id: 'number', iid: 'number', project_id: 'number', title: 'text', description: 'text or null' },
  ...{ state: ['opened', 'closed', 'merged', 'locked'], web_url: 'text', sha: 'text or null', draft: 'flag' },
  ...{ source_branch: 'text', target_branch: 'text', source_project_id: 'number or null', target_project_id: 'number' },
  ...{ author: 'user', assignees: 'users', reviewers: 'users', labels: 'texts', merged_at: 'text or null' },
};

const NOTE: Fields = { id: 'number', body: 'text', author: 'user', system: 'flag', noteable_iid: 'number' };

export const USER: Fields = { id: 'number', username: 'text', name: 'text', state: 'text', web_url: 'text' };

export const CONTRACT: readonly Described[] = [
  {
    ...{ id: 'get project', method: 'GET', path: '/projects/{id}', status: 200 },
    answer: {
      ...{ id: 'number', path_with_namespace: 'text', web_url: 'text' },
      ...{ default_branch: 'text or missing', empty_repo: 'flag' },
    },
  },
  {
    ...{ id: 'get user', method: 'GET', path: '/user', status: 200 },
    answer: { ...USER, email: 'text', commit_email: 'text or null' },
  },
  {
    ...{ id: 'list users', method: 'GET', path: '/users', status: 200, isList: true },
    query: { ...PAGING, username: 'text' },
    answer: USER,
  },
  {
    ...{ id: 'list merge requests', method: 'GET', path: '/projects/{id}/merge_requests', status: 200, isList: true },
    query: {
      ...PAGING,
      ...{ state: ['opened', 'closed', 'locked', 'merged', 'all'], source_branch: 'text', target_branch: 'text' },
      ...{ order_by: ['created_at', 'merged_at', 'title', 'updated_at'], sort: ['asc', 'desc'] },
    },
    answer: MERGE_REQUEST,
  },
  {
    ...{ id: 'get merge request', method: 'GET', path: '/projects/{id}/merge_requests/{iid}', status: 200 },
    answer: MERGE_REQUEST,
  },
  {
    ...{ id: 'create merge request', method: 'POST', path: '/projects/{id}/merge_requests', status: 201 },
    body: {
      ...{ source_branch: 'text', target_branch: 'text', title: 'text', description: 'text' },
      remove_source_branch: 'flag',
    },
    required: ['source_branch', 'target_branch', 'title'],
    answer: MERGE_REQUEST,
  },
  {
    ...{ id: 'update merge request', method: 'PUT', path: '/projects/{id}/merge_requests/{iid}', status: 200 },
    body: {
      ...{ description: 'text', state_event: ['close', 'reopen'], add_labels: 'text' },
      ...{ assignee_ids: 'numbers', reviewer_ids: 'numbers' },
    },
    answer: MERGE_REQUEST,
  },
  {
    ...{
      id: 'list notes',
      method: 'GET',
      path: '/projects/{id}/merge_requests/{iid}/notes',
      status: 200,
      isList: true,
    },
    query: { ...PAGING, order_by: ['created_at', 'updated_at'], sort: ['asc', 'desc'] },
    answer: NOTE,
  },
  {
    ...{ id: 'create note', method: 'POST', path: '/projects/{id}/merge_requests/{iid}/notes', status: 201 },
    body: { body: 'text' },
    required: ['body'],
    answer: NOTE,
  },
  {
    ...{ id: 'update note', method: 'PUT', path: '/projects/{id}/merge_requests/{iid}/notes/{note_id}', status: 200 },
    body: { body: 'text' },
    required: ['body'],
    answer: NOTE,
  },
  {
    ...{
      id: 'delete note',
      method: 'DELETE',
      path: '/projects/{id}/merge_requests/{iid}/notes/{note_id}',
      status: 204,
    },
    answer: null,
  },
];

/** The faults of a value's fields. */
export function fieldFaults(
  value: unknown,
  fields: Fields,
  { mayLack }: { readonly mayLack: boolean },
): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ['no object'];
  const found = value as Readonly<Record<string, unknown>>;
  const unknown = mayLack ? Object.keys(found).filter((it) => !(it in fields)) : [];
  return [
    ...unknown.map((it) => `"${it}" is not documented`),
    ...Object.entries(fields).flatMap(([name, type]) => {
      if (found[name] === undefined) return mayLack ? [] : [`"${name}" is missing`];
      return isOf(found[name], type) ? [] : [`"${name}" is ${JSON.stringify(found[name])}, which is no ${type}`];
    }),
  ];
}

function isOf(value: unknown, type: FieldType): boolean {
  const isUser = (it: unknown): boolean => fieldFaults(it, USER, { mayLack: false }).length === 0;
  switch (type) {
    case 'text':
      return typeof value === 'string';
    case 'text or null':
      return value === null || typeof value === 'string';
    case 'number':
      // Those of a query are texts.
      return Number.isSafeInteger(value) || (typeof value === 'string' && /^\d+$/.test(value));
    case 'number or null':
      return value === null || Number.isSafeInteger(value);
    case 'text or missing':
      return value === undefined || typeof value === 'string';
    case 'flag':
      return typeof value === 'boolean';
    case 'texts':
      return Array.isArray(value) && value.every((it) => typeof it === 'string');
    case 'numbers':
      return Array.isArray(value) && value.every((it) => Number.isSafeInteger(it));
    case 'user':
      return isUser(value);
    case 'user or null':
      return value === null || isUser(value);
    case 'users':
      return Array.isArray(value) && value.every(isUser);
    default:
      return typeof value === 'string' && type.includes(value);
  }
}
