/**
 * Every error that reaches a client has a row here. A code is part of the contract: it is never renamed and,
 * once retired, never given to another error.
 */
export const problems = {
  // requests
  unknown_host: { status: 421, title: 'Millrace does not answer to this name' },
  bad_request: { status: 400, title: 'The request cannot be read' },
  invalid_request: { status: 422, title: 'The request is not valid' },
  unauthorized: { status: 401, title: 'A valid key is needed' },
  signature_invalid: { status: 401, title: 'The signature does not match' },
  secret_invalid: { status: 401, title: 'The secret of the sender does not match' },
  forbidden: { status: 403, title: 'The key lacks a right' },
  cross_site_request: { status: 403, title: 'The request came from another site' },
  route_not_found: { status: 404, title: 'There is nothing at this address' },
  method_not_allowed: { status: 405, title: 'The address does not take this method' },
  body_too_large: { status: 413, title: 'The body is too large' },
  payload_invalid: { status: 422, title: 'The payload does not fit' },
  form_invalid: { status: 400, title: 'The form cannot be read' },
  unsupported_media_type: { status: 415, title: 'The body is of a type that this address does not read' },
  uri_too_long: { status: 414, title: 'The address is too long' },
  refused_by_plugin: { status: 403, title: 'A plugin refused the request' },
  internal_error: { status: 500, title: 'Millrace failed to answer' },
  // flows
  flow_not_found: { status: 404, title: 'No such flow' },
  flow_invalid: { status: 422, title: 'The flow document is not valid' },
  flow_conflict: { status: 409, title: 'The flow has been saved by someone else' },
  slug_taken: { status: 409, title: 'The slug is taken' },
  draft_not_found: { status: 404, title: 'The flow has no draft' },
  run_not_rehearsable: { status: 409, title: 'The run cannot be kept as an expectation' },
  expectation_not_found: { status: 404, title: 'No such expectation' },
  expectation_too_large: { status: 413, title: 'The run is too large to be kept as an expectation' },
  expectations_full: { status: 409, title: 'The flow has as many expectations as it may' },
  expectations_failed: { status: 409, title: 'The draft does not do what is expected of it' },
  comment_not_found: { status: 404, title: 'No such comment' },
  comments_full: { status: 409, title: 'The flow has as many comments as it may' },
  rehearsal_not_found: { status: 404, title: 'The flow has not been rehearsed' },
  draft_conflict: { status: 409, title: 'The draft has been saved by someone else' },
  nothing_to_undo: { status: 409, title: 'The live version was not published from a draft' },
  alias_not_found: { status: 404, title: 'No such alias of the flow' },
  flow_not_deleted: { status: 409, title: 'The flow is not deleted' },
  version_not_found: { status: 404, title: 'No such version of the flow' },
  flow_without_webhook: { status: 409, title: 'The flow has no Webhook component' },
  flow_context_gone: { status: 409, title: 'The context of the flow does not exist' },
  flow_without_chat_input: { status: 409, title: 'The flow has no Chat Input component' },
  push_invalid: { status: 422, title: 'What was pushed is not valid' },
  push_conflict: { status: 409, title: 'What the push was planned for has changed' },
  flow_from_file: { status: 409, title: 'The flow comes from a file' },
  unknown_format: { status: 422, title: 'The file is none that can be imported' },
  import_broken: { status: 422, title: 'The file is broken' },
  import_unreachable: { status: 422, title: 'The address gave no file' },
  component_not_found: { status: 404, title: 'No such component' },
  component_failed: { status: 422, title: 'A component failed to judge its fields' },
  context_not_found: { status: 404, title: 'No such context' },
  context_exists: { status: 409, title: 'The context already exists' },
  context_in_use: { status: 409, title: 'The context is in use' },
  context_is_code: { status: 409, title: 'The context is made by a plugin' },
  connection_not_found: { status: 404, title: 'No such connection' },
  connection_exists: { status: 409, title: 'The context has a connection of this name' },
  connection_invalid: { status: 422, title: 'The connection is not valid' },
  connection_conflict: { status: 409, title: 'The connection was changed by someone else' },
  connection_without_sign_in: { status: 409, title: 'This connection does not use a sign-in' },
  document_invalid: { status: 422, title: 'The document is no OpenAPI document that can be read' },
  document_not_found: { status: 404, title: 'The connection has no document' },
  tables_unreadable: { status: 502, title: 'The tables of the database cannot be read' },
  models_unreadable: { status: 502, title: 'The models of the provider cannot be listed' },
  secret_key_missing: { status: 409, title: 'There is no key to seal secrets with' },
  secret_needed_again: { status: 422, title: 'The secret has to be sent again' },
  secret_unreadable: { status: 409, title: 'A secret cannot be opened' },
  file_not_found: { status: 404, title: 'No such file' },
  range_not_satisfiable: { status: 416, title: 'The file has no such bytes' },
  file_too_large: { status: 413, title: 'The file is too large' },
  kept_value_not_found: { status: 404, title: 'Nothing is kept under this key' },
  kept_value_invalid: { status: 422, title: 'The value cannot be kept' },
  kept_value_not_number: { status: 409, title: 'The kept value is not a number' },
  collection_not_found: { status: 404, title: 'No such collection' },
  collection_exists: { status: 409, title: 'The context has a collection of this name' },
  collection_invalid: { status: 422, title: 'The collection is not valid' },
  collection_full: { status: 409, title: 'The collection is full' },
  collection_without_model: { status: 409, title: 'The collection has no model' },
  collection_unsearchable: { status: 503, title: 'The collection cannot be searched now' },
  knowledge_text_not_found: { status: 404, title: 'The collection has no such text' },
  document_unreadable: { status: 422, title: 'The document cannot be read' },
  knowledge_text_invalid: { status: 422, title: 'The text cannot be written' },
  knowledge_question_invalid: { status: 422, title: 'The search is not valid' },
  // runs
  session_in_use: { status: 409, title: 'Runs of the session go on' },
  run_not_found: { status: 404, title: 'No such run' },
  run_has_parent: { status: 409, title: 'The run is a part of another one' },
  run_not_retryable: { status: 409, title: 'The run cannot be retried' },
  run_already_ended: { status: 409, title: 'The run has ended' },
  link_not_found: { status: 404, title: 'No such link' },
  test_address_over: { status: 410, title: 'The time of this test address is over' },
  wait_over: { status: 410, title: 'Nobody waits for this call any more' },
  not_waiting: { status: 409, title: 'The node does not wait' },
  approval_not_found: { status: 404, title: 'No such approval' },
  approval_closed: { status: 409, title: 'The approval is answered or over' },
  unknown_choice: { status: 422, title: 'The answer is not one of the choices' },
  node_not_found: { status: 404, title: 'No such node' },
  node_watches_nothing: { status: 409, title: 'The node watches nothing' },
  pin_too_large: { status: 413, title: 'The outputs are too large to be pinned' },
  run_goes_on: { status: 409, title: 'The run has not ended' },
  call_not_found: { status: 404, title: 'No such call of an agent' },
  replay_too_large: { status: 413, title: 'What the run has done is too large to go on from' },
  output_not_found: { status: 404, title: 'The node has no output yet' },
  idempotency_key_invalid: { status: 400, title: 'The Idempotency-Key cannot be used' },
  idempotency_key_reused: { status: 422, title: 'The Idempotency-Key came with another body before' },
  rate_limited: { status: 429, title: 'Too many requests for this flow' },
  uploads_limited: { status: 429, title: 'Too many uploaded files wait for a run' },
  streams_limited: { status: 429, title: 'Too many streams of events' },
  flow_paused: { status: 503, title: 'The flow is paused' },
  backlog_full: { status: 503, title: 'The backlog is full' },
  store_unwritable: { status: 503, title: 'The store cannot be written' },
  run_failed: { status: 500, title: 'The run failed' },
  run_cancelled: { status: 500, title: 'The run was cancelled' },
  run_not_over: { status: 504, title: 'The run goes on, and has no answer yet' },
  queue_stuck: { status: 503, title: 'Runs wait, and none is taken up' },
  stopping: { status: 503, title: 'Millrace is stopping' },
  // keys
  key_not_found: { status: 404, title: 'No such key' },
  key_is_configured: { status: 409, title: 'The key is set by the configuration' },
  key_is_last_admin: { status: 409, title: 'No other key could manage keys' },
  sign_in_limited: { status: 429, title: 'Too many wrong keys' },
  keys_limited: { status: 429, title: 'Too many wrong keys' },
  // at start
  config_invalid: { status: 500, title: 'The configuration is not valid' },
  plugin_failed: { status: 500, title: 'A plugin failed to load' },
  registration_refused: { status: 500, title: 'A registration was refused' },
  store_locked: { status: 500, title: 'The store is in use' },
  store_too_old: { status: 500, title: 'The store was written by a Millrace from before 0.1.0' },
  store_too_new: { status: 500, title: 'The store was written by a newer Millrace' },
  queue_untested: { status: 500, title: 'The queue is of a version that Millrace was not tested with' },
  // when a store is copied or saved
  copy_refused: { status: 500, title: 'The store cannot be copied' }
} as const

export type ProblemCode = keyof typeof problems

interface ProblemExtras {
  /** Where a plugin refuses a request, it also says how. */
  readonly status?: number
  /** One entry per fault, for answers that list several. */
  readonly errors?: readonly Fault[]
  /** Sent as HTTP headers with the answer, for example Retry-After. */
  readonly headers?: Readonly<Record<string, string>>
  /** Further members of the problem document. */
  readonly members?: Readonly<Record<string, unknown>>
  /** What callers read who have shown no key, where the message names what is inside. */
  readonly publicMessage?: string
  readonly cause?: unknown
}

/** One thing that is wrong in something a client sent: where it is, what is wrong and what to do. */
export interface Fault {
  readonly code: string
  /** JSON pointer into what was sent. */
  readonly path: string
  readonly node?: string
  readonly field?: string
  readonly line?: number
  readonly column?: number
  readonly message: string
}

/** An error that somebody outside can act on. Anything else that is thrown is a bug and answers 500. */
export class MillraceError extends Error {
  readonly code: ProblemCode
  readonly extras: ProblemExtras

  constructor(code: ProblemCode, message: string, extras: ProblemExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause })
    this.name = 'MillraceError'
    this.code = code
    this.extras = extras
  }

  get status(): number {
    return this.extras.status ?? problems[this.code].status
  }
}

/** Whatever was thrown, as text for a person. Never throws: a plugin can throw even what cannot be printed. */
export function messageOf(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return String(thrown.message || thrown.name)
    const { message } = Object(thrown) as { message?: unknown }
    return typeof message === 'string' && message !== '' ? message : String(thrown)
  } catch {
    return `Something of type ${typeof thrown} that cannot be printed.`
  }
}
