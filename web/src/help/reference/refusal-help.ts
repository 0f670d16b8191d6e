import type { ProblemCode } from '../../../../src/errors.ts'

/** Of each refusal of the API: when it comes, and what to do about it. The answer itself says more, in `detail`. */
export const REFUSAL_HELP: Readonly<Record<ProblemCode, string>> = {
  unknown_host:
    'The service was called by a name that it does not know. Call it by its own address, or add the name to MILLRACE_ALLOWED_HOSTS.',
  bad_request:
    'Address, headers or body cannot be decoded. Send the address percent-encoded in UTF-8, and the body as JSON.',
  invalid_request:
    'The request can be read, but does not fit the description of the operation. `errors` names each fault and its place.',
  unauthorized: 'No key came, or none that is good any more. Send one in `x-api-key`, or sign in again.',
  signature_invalid:
    'The signature of the sender is missing, too old, or made with another secret. Compare the secret with the one that the sender shows, and check that nothing on the way changes the body.',
  secret_invalid:
    'The token or password of the sender is not the one in the connection. Enter the same secret on both sides.',
  forbidden: 'The key is good, but has no right to this. Use one with the right that `detail` names.',
  cross_site_request:
    'A signed-in browser was led here by another site. Do it from the page of Millrace, or send a key and no cookie.',
  route_not_found: 'Nothing answers at this address. Look for a slip in the path; the API lists all of them.',
  method_not_allowed: 'The address is right and the method is not. `Allow` names those that it takes.',
  body_too_large:
    'The body is larger than the limit. Send less, send large things as files, or let an operator raise MILLRACE_BODY_LIMIT or MILLRACE_FILE_LIMIT.',
  payload_invalid:
    'The payload does not fit the schema of the Webhook. `errors` names each fault: correct the sender, or the field Schema.',
  form_invalid:
    'A form is broken, cut off, or has too many fields. Send it whole, with the boundary that its type names.',
  unsupported_media_type: 'This address reads JSON alone. Send `Content-Type: application/json`.',
  uri_too_long:
    'A part of the address is longer than any id or name. Look at what the program puts into the address.',
  refused_by_plugin:
    'A guard of the context refused the request. `detail` has its words; ask whoever runs the plugin.',
  internal_error:
    'This is a fault of Millrace or of a plugin. Nothing that was accepted is lost. The log of the service has the cause.',
  flow_not_found:
    'No flow has this id or slug, or the key may not see it. Check the slug; a deleted flow is in the bin for 30 days.',
  flow_invalid:
    'The document has faults that keep it from being live. `errors` names node, field and what to do.',
  flow_conflict:
    'Somebody else has saved the flow since you read it. Read it again, bring your changes over, and send its new version.',
  slug_taken:
    'Another flow has this slug, or had it and is still found by it. Choose another one, or end the alias of the other flow.',
  draft_not_found: 'Nothing of the flow is unpublished. Save a draft first.',
  run_not_rehearsable:
    'Only a run that succeeded or failed can be kept, and only where it is known what the draft does with it. Expect what the run did then, or publish first.',
  expectation_not_found: 'The flow has no such expectation; somebody may have taken it back.',
  expectation_too_large:
    'What started the run, or what came of it, is too large to be kept. Keep a smaller run.',
  expectations_full: 'Take back expectations that tell nothing more, then keep this one.',
  expectations_failed:
    'The draft gives something else than what is expected of it. Mend the draft, or take the expectation back.',
  comment_not_found: 'There is no such comment; somebody may have deleted it.',
  comments_full: 'Delete comments that are settled, then write this one.',
  rehearsal_not_found: 'The draft has not been rehearsed yet. Begin with POST on the same address.',
  draft_conflict:
    'Somebody else has saved the draft since you read it. Read it again and send its revision. The page merges by itself.',
  nothing_to_undo:
    'The live version did not come from a draft, so there is no publishing to undo. Restore an earlier version instead.',
  alias_not_found: 'The flow has no such old address. It was removed before, or never was one.',
  flow_not_deleted: 'The flow is not in the bin, so there is nothing to restore or to delete for good.',
  version_not_found: 'The flow has no version of this number. The list of versions has those that there are.',
  flow_without_webhook:
    'The live version has no Webhook that is switched on. Add one and publish, or start the flow another way.',
  flow_context_gone:
    'The plugin that made the context of the flow is not loaded. Load it again, or move the flow to another context.',
  flow_without_chat_input: 'The flow cannot be talked to. Add a Chat Input and publish.',
  push_invalid: 'A file of the folder has faults, so nothing was changed. `errors` names file and line.',
  push_conflict:
    'Somebody has changed a flow between the plan and the push. Run the command again and look at the new plan.',
  flow_from_file:
    'The service follows a folder, and this flow comes from a file in it. Change the file, or stop following the folder.',
  unknown_format:
    'The file is of no tool that can be imported. Export from Langflow, n8n, Node-RED, Flowise or Millrace as JSON.',
  import_broken: 'The file is cut off or broken at the place that `detail` names. Export it again.',
  assistant_limited:
    'A key may ask the assistant two things at a time, all keys together sixteen. Wait for an answer, or stop one.',
  assistant_flow_too_large:
    'A model cannot be told so large a flow at once. Split it into several, which Run Flow joins.',
  import_unreachable:
    'The address gave no file: it cannot be reached, or answers with something else. Open it in a browser, or upload the file.',
  component_not_found:
    'A flow in this context sees no such component. Check the type, and whether its plugin is loaded there.',
  component_failed:
    'The code of a component failed while it judged its fields. Look in the log; the plugin needs a repair.',
  context_not_found:
    'There is no such context, or the key may not see it. Contexts begin with "/", as in /sales.',
  context_exists: 'There is a context at this path already. Use it, or choose another name.',
  context_in_use:
    'Flows, connections or keys still belong to the context. Move or delete what `detail` names first.',
  context_is_code:
    'A plugin makes this context, so it cannot be changed here: change the plugin. Of the root only the variables can be set.',
  connection_not_found:
    'No connection of this name or id is visible here. It may be in another context, deleted, or spelled differently.',
  connection_exists: 'The context has a connection of this name. Change that one, or choose another name.',
  connection_invalid: 'A setting of the connection is missing or wrong. `errors` names it.',
  connection_conflict: 'Somebody else has changed the connection since you read it. Read it again.',
  connection_without_sign_in:
    'The connection is not one that signs in by OAuth. Choose a preset with a sign-in, or set its `auth`.',
  document_invalid:
    'The file is no OpenAPI document that can be read. Send version 3.0, 3.1 or Swagger 2, as JSON or YAML.',
  document_not_found:
    'The connection has no OpenAPI document yet. Upload one; then API Operation lists its operations.',
  tables_unreadable:
    'The database did not tell its tables. Test the connection: address, user, password and rights.',
  models_unreadable:
    'The provider did not list its models. Test the connection; the name of a model can be typed by hand too.',
  secret_key_missing:
    'There is nothing to seal secrets with. Set MILLRACE_SECRET_KEY and start the service again.',
  secret_needed_again:
    'A changed address would send the old secret to somebody else. Enter the secret again with it.',
  secret_unreadable:
    'The secret was sealed with another key. Set the old MILLRACE_SECRET_KEY beside the new one, or enter the secret again.',
  file_not_found: 'The file was deleted with its last run, or the key may not read it. Send it again.',
  range_not_satisfiable: 'The part that was asked for lies behind the end of the file. Ask without `Range`.',
  file_too_large:
    'The file is larger than MILLRACE_FILE_LIMIT. Send a smaller one, or let an operator raise the limit.',
  kept_value_not_found: 'Nothing is kept under this key in this context. A flow sets it with Keep.',
  kept_value_invalid: 'The value is too large, or is no plain data. Keep less, or a file.',
  kept_value_not_number: 'What is kept here is no number, so nothing can be added to it. Set it anew first.',
  collection_not_found: 'There is no such collection in this context or above it. Make one under Knowledge.',
  collection_exists: 'The context has a collection of this name. Use it, or choose another name.',
  collection_invalid: 'A setting of the collection is wrong. `errors` names it.',
  collection_full: 'The collection has as many texts as it may. Delete some, or begin another one.',
  collection_without_model:
    'A collection without a model is searched by words alone. Choose the mode Words, or give it a model.',
  collection_unsearchable:
    'The index of the collection is being read or built. Try again in a moment, as `Retry-After` says.',
  knowledge_text_not_found: 'The collection has no text of this id.',
  document_unreadable:
    'No text could be read from the document: it is broken, protected by a password, or pictures alone.',
  knowledge_text_invalid: 'The text is empty or too long, or its metadata is no plain object.',
  knowledge_question_invalid: 'The search is empty, too long, or has a filter that cannot be used.',
  session_in_use: 'Runs of this session go on. Wait for their end, or cancel them, then delete the session.',
  run_not_found: 'There is no such run, retention has deleted it, or the key may not see it.',
  run_has_parent:
    'The run is a part of another one, such as an item of a For each. Do it with the run above it.',
  run_not_retryable:
    'Only a run that failed or was cancelled, and whose flow and context are there, can go on. Replay it instead.',
  run_already_ended: 'The run has ended, so there is nothing to cancel or to wake.',
  link_not_found: 'The link is mistyped, was used, or belongs to a run that is gone. Ask for a new one.',
  test_address_over: 'A test address is good for an hour. Press Listen again for a new one.',
  wait_over: 'The run went on without this call: it was answered, timed out, or was cancelled.',
  not_waiting: 'The node waits for nothing now. Look at the run for what it does.',
  approval_not_found: 'There is no such question, or the key may not see it.',
  approval_closed: 'Somebody else has answered, or the time for it is over.',
  unknown_choice: 'The answer is none of the choices. Send one of those that `detail` lists.',
  node_not_found: 'The flow has no node of this id. Ids are those of the document, not titles.',
  node_watches_nothing: 'Only a Watch can be looked at in this way.',
  pin_too_large: 'Pins take 256 kB each and 2 MB for a flow. Pin less of it, or remove other pins.',
  run_goes_on: 'This can be done only when the run has ended. Wait, or cancel it.',
  call_not_found: 'The agent has made no such call of a tool.',
  replay_too_large: 'The run has done too much to begin again from one of its calls. Replay all of it.',
  message_not_found:
    'The flow has no such message of this run; it may have been deleted with its session or its run.',
  output_not_found: 'The node has not run yet, so there is no output to show. Run the flow once.',
  idempotency_key_invalid: 'The header is empty or has more than 255 characters. Send a UUID.',
  idempotency_key_reused:
    'The same key came with another body before. Take a new key for each thing that is to happen once.',
  rate_limited:
    'The flow, or the key, is over its limit for this minute. Wait as long as `Retry-After` says.',
  uploads_limited: 'Too many files were uploaded that no run has used. Start runs with them, or wait a day.',
  streams_limited: 'The key has too many event streams open. Close some of them.',
  flow_paused: 'Somebody has paused the flow, and it refuses what comes. Resume it, or try again later.',
  backlog_full: 'More is waiting than the service takes. Try again as `Retry-After` says, or add workers.',
  store_unwritable:
    'The disk is full, or the database does not answer. Nothing was accepted. The log names the cause.',
  run_failed: 'The flow was to answer and failed before. The run shows the step and the reason.',
  run_cancelled: 'Somebody stopped the run before it could answer.',
  run_not_over: 'The run takes longer than the caller may wait. Read its result later, by its id.',
  queue_stuck: 'Runs wait and no process takes them. Check that a worker runs and reaches the database.',
  stopping: 'The service is being stopped. Send the request again in a moment.',
  key_not_found: 'There is no such key; it may have been revoked before.',
  key_is_configured: 'MILLRACE_API_KEY sets this key. Change it there.',
  key_is_last_admin: 'Without this key nobody could manage keys. Make another one with `admin` first.',
  sign_in_limited: 'Too many wrong keys were tried from this address. Wait a minute.',
  keys_limited: 'Too many wrong keys were sent from this address. Wait a minute, and correct the caller.',
  config_invalid: 'A variable of the environment has a value that cannot be used. The message names it.',
  plugin_failed: 'A plugin threw while it was loaded. The message names the file and the line.',
  registration_refused:
    'A plugin registers what is there already or is not valid. The message names both places.',
  store_locked: 'Another Millrace uses this folder. Stop it, or set another MILLRACE_HOME.',
  store_too_old:
    'The store was written before the first release and cannot be read. Begin with a new folder.',
  store_too_new: 'A newer Millrace wrote the store. Start that version, or restore a backup.',
  queue_untested: 'The queue in the database is of another version. Use the version that the message names.',
  copy_refused: 'The target is not empty, or is the source. Name an empty database.'
}
