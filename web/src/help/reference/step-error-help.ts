interface ErrorGroup {
  readonly title: string
  /** The document that has more about them. */
  readonly page: string
  /** By code: what it means, and what to do. */
  readonly errors: Readonly<Record<string, string>>
}

/** What steps fail with, beyond the errors of plugins: by what the step was doing. */
export const STEP_ERRORS: readonly ErrorGroup[] = [
  {
    title: 'Any step',
    page: 'logic',
    errors: {
      step_failed:
        'The component threw an error without a code. Its message and the logs of the step say why.',
      step_timeout:
        'An attempt took longer than the node allows. Raise `timeout_ms`, or make the call faster. A POST without an idempotency key is not sent twice: look on the other side first.',
      step_crashes_process:
        'The process died in the middle of this step again and again. Mend the component or its input, then retry the run.',
      step_blocks_process:
        'The step computed without a pause until the process had to be ended. Give it less to do, or let it pause.',
      step_cannot_resume: 'The component began to wait and has no way to go on. Mend the plugin.',
      output_too_large:
        'The step would put out more than a step, or the run, may. Filter first, use files, or raise the limit of the context.',
      output_not_json: 'The component returned what is no plain data. Mend the plugin.',
      output_not_an_object: 'The component has to return an object with its outputs. Mend the plugin.',
      variable_missing:
        'A field reads a variable that the context does not have. Set it there or above, or correct its name.',
      run_cancelled: 'The run was stopped by somebody, or with the run that started it.',
      hook_failed: 'A hook of the context failed at the start of the run. Look at the plugin that made it.',
      no_output: 'The component named an output that the node does not have.',
      placeholder_left:
        'The node stands for something that could not be imported. Replace it by a component that does the work.'
    }
  },
  {
    title: 'Templates and data',
    page: 'data',
    errors: {
      template_missing_key:
        'The data has no such key. The message names those that it has; `{key?}` allows it to be absent.',
      template_syntax: 'A brace is open, or a placeholder is malformed. Write `{{` for a brace itself.',
      template_bad_value: 'The value does not fit the format behind the colon.',
      no_data: 'Nothing reached the input. Wire it, or look at why the node before was silent.',
      faulty_data:
        'The template reads keys, and what came is no object. Send an object or a list of objects.',
      missing_key: 'An item has no such member. Correct the path, or filter such items out before.',
      missing_member: 'The value lacks a member that the schema asks for.',
      not_a_list: 'A list is needed, and something else came. Name the path of the list.',
      not_an_object: 'An object is needed, and something else came.',
      not_a_text: 'Text is needed, and something else came. Name the member that holds it.',
      not_a_number: 'A number is needed, and something else came. Convert it, or filter such items out.',
      not_comparable: 'Two values of different types cannot be put in order. Convert them first.',
      invalid_json: 'The text is no JSON. Look at what was sent.',
      invalid_base64: 'The text is no base64. Look at what was sent.',
      invalid_csv: 'The table cannot be read at the line that is named.',
      invalid_date: 'The value is no date. Use ISO 8601, or name its format.',
      invalid_format: 'The format of dates cannot be read. Use tokens such as `yyyy-MM-dd`.',
      invalid_url_encoding: 'A `%` is not followed by two digits, or the bytes are no UTF-8.',
      invalid_xml_name: 'A key cannot be the name of an element. Rename it with Select first.',
      unknown_zone: 'There is no such time zone. Use a name such as Europe/Berlin.',
      too_many_columns: 'The rows have more different keys than a table may. Select those that you need.',
      too_many_fields: 'The form has more different names than an object may. Look at what was sent.',
      pattern_invalid: 'The pattern cannot be used. Patterns are those of RE2, without look-around.',
      pattern_too_costly: 'Pattern and text together are too large. Use a shorter one, or `contains`.',
      expression_failed: 'The condition could not be judged with this data. Its message names the place.',
      expression_too_costly: 'The condition takes too long. Make it simpler, or use Code.',
      not_a_condition: 'The expression is neither true nor false. Compare something: `data.total > 100`.'
    }
  },
  {
    title: 'Reaching out',
    page: 'connections',
    errors: {
      egress_refused:
        'Steps may not reach this address. Add it to MILLRACE_EGRESS_ALLOW, or let an administrator save a connection with it.',
      connection_missing: 'No connection is chosen. Choose one in the node.',
      connection_not_found:
        'The context of the flow sees no connection of this name. Make it there or above.',
      connection_wrong_kind: 'The connection is of another kind than the node takes. Choose another one.',
      connection_refused:
        'The other side took the address and refused the key. Enter it again and test the connection.',
      secret_unreadable: 'The secret was sealed with another key. See MILLRACE_SECRET_KEY.',
      rate_unavailable:
        'The database that shares the rate of the connection did not answer. It is tried again.',
      destination_down: 'The other side has not answered for a while, so only one call at a time tries it.',
      oauth_sign_in_needed: 'Somebody has to sign in again for this connection, on the page Connections.',
      oauth_refused: 'The provider refused client id, secret or scope. Correct them in the connection.',
      oauth_unavailable: 'The provider gave no token now. It is tried again.',
      oauth_failed: 'What the token URL answered is no token. Check the address.',
      url_invalid: 'The address is not complete, or a value in it leads to another path. Look at the data.',
      header_invalid: 'A value holds a line break, which no header can. Look at the data.',
      upstream_unreachable: 'Nobody answers at this address: wrong name, host down, or a firewall.',
      upstream_timeout: 'The other side took the connection and did not answer in time.',
      upstream_cut_off: 'The other side closed the connection before its answer was whole.',
      upstream_not_http: 'What answers there does not speak HTTP. Check the port.',
      upstream_malformed: 'The answer cannot be understood. Check host and port.',
      upstream_unauthorized:
        'The other side answered 401 or 403. Check the key in the connection, and its rights.',
      upstream_refused:
        'The other side answered with another 4xx. The message has its words; correct the request.',
      upstream_rate_limited:
        'The other side answered 429. It is tried again when it says; set a rate for the connection.',
      upstream_failed:
        'The other side answered 5xx, or the call broke. It is tried again where the node allows it.',
      destination_gone: 'The receiver answered 410 and wants no more. Take the address out.',
      certificate_expired: 'The certificate of the other side is out of date. Only they can renew it.',
      certificate_invalid: 'The certificate is for another name, or signed by nobody who is trusted.',
      tls_failed: 'No encrypted connection came about. Check the port and what the server takes.',
      tls_not_offered: 'The server takes no TLS, and a password is never sent in the clear.',
      too_many_redirects: 'The address leads on and on. Give the one that it leads to in the end.',
      bad_redirect: 'The answer leads to what is no HTTP address, or would carry a secret elsewhere.'
    }
  },
  {
    title: 'API Request and API Operation',
    page: 'api-request',
    errors: {
      response_too_large:
        'The answer is larger than the node takes. Raise "Largest response", or ask for less.',
      response_not_json: 'The answer is no JSON. Choose the response type Text, or look at the address.',
      response_not_decodable: 'The answer is packed in a way that cannot be unpacked.',
      body_not_json:
        'The body is no JSON once its template is filled in. Write it as an object of templates.',
      body_not_an_object: 'A form is made of names and values. Write the body as an object of templates.',
      body_not_base64: 'The bytes are no base64. Send them so, or choose the body type Text.',
      body_missing: 'The operation needs a body. Write one, or wire data to the node.',
      body_unexpected: 'The operation takes no body. Leave the field empty.',
      parameter_missing: 'A parameter that the operation needs got no value.',
      parameter_unknown: 'The operation has no such parameter. Look for a slip in its name.',
      parameter_invalid: 'The value does not fit the type of the parameter.',
      operation_missing: 'No operation is chosen. Choose one.',
      operation_not_found: 'The document of the connection has no such operation; it may have been replaced.',
      document_missing: 'The connection has no OpenAPI document. Upload one on the page Connections.',
      page_without_items: 'The list of a page was not found. Say in "Items of a page" where it stands.',
      pagination_loop: 'The answers lead back to a page that was read. Check "Next page".',
      pagination_leaves_origin: 'The next page is on another host than the connection. Correct its base URL.',
      too_many_pages: 'There are more pages than "Most pages". Raise it, or ask for less.'
    }
  },
  {
    title: 'SQL',
    page: 'sql',
    errors: {
      sql_syntax: 'The statement is malformed, or puts a value where only :name may stand.',
      sql_parameter_missing: 'The query names a parameter that is not there. Add it under Parameters.',
      sql_several_statements: 'A step runs one statement. Use several nodes.',
      sql_statement_refused: 'This statement is not for steps, such as COPY or BEGIN.',
      sql_empty: 'There is no statement. Write one.',
      sql_failed: 'The database refused the statement. The message has its words.',
      sql_timeout: 'The query took too long. Add an index, ask for less, or raise the time of the node.',
      sql_connection_lost: 'The connection to the database broke. It is tried again.',
      sql_sign_in_refused: 'The database does not take this user and password. Correct the connection.',
      sql_commit_unknown:
        'The connection broke during the commit: the change may have been made. Look before you retry.',
      sql_file_unusable: 'The file is no SQLite database, or cannot be opened.',
      sql_too_many_columns: 'The answer has more columns than fit. Name those that you need.'
    }
  },
  {
    title: 'Mails and webhooks',
    page: 'sending',
    errors: {
      recipient_missing: 'To, Cc and Bcc are empty once they are filled in. Look at the data.',
      recipient_invalid: 'This is no e-mail address. Look at the data.',
      recipients_refused: 'The mail server takes none of the recipients.',
      recipients_too_many: 'A mail has a most of recipients. Send several, with For each.',
      sender_invalid: 'The sender has to be one address. Correct "From".',
      attachment_invalid: 'An attachment cannot be read. It has to be a file, or a name with its content.',
      attachment_not_base64:
        'The content of an attachment is no base64. Send a file, or its bytes as base64.',
      message_too_large: 'The mail is too large. Send links in place of attachments.',
      mail_deferred: 'The server does not take the mail now. Give the node more attempts.',
      mail_refused: 'The server refused the mail. The message has its words.',
      mail_sign_in_refused: 'The mail server does not take this user and password.',
      signing_secret_invalid: 'The signing secret is no base64. Paste it as the receiver shows it.'
    }
  },
  {
    title: 'Models, agents and tools',
    page: 'language-model',
    errors: {
      model_nothing_asked: 'There is no prompt, and nothing reached the node. Write one, or wire an input.',
      model_key_refused: 'The provider does not take the key. Put a valid one into the connection.',
      model_unknown: 'The provider has no such model. Choose one of the list.',
      model_context_too_long:
        'The question is longer than the model takes. Send less, or shorten the history.',
      model_rate_limited:
        'The provider was asked too often. Give the node more attempts, or the flow less concurrency.',
      model_out_of_credit: 'The account with the provider is used up. Add credit there.',
      model_overloaded: 'The provider has no room now. Give the node more attempts, or a second connection.',
      model_refused: 'The model would not answer this. Ask in another way.',
      model_broken_off: 'The answer ended before it was whole, and is not used. Give the node more attempts.',
      model_failed: 'The provider failed. Give the node more attempts, or a second connection.',
      model_request_refused: 'The provider refused the question. The message has its words.',
      model_answer_invalid:
        'The model did not keep to the schema. Make it simpler, or take a stronger model.',
      model_answer_too_large: 'What answers is longer than any model. Check the address.',
      model_image_invalid: 'This is no picture that a model takes.',
      model_not_for_embeddings: 'The model makes no vectors. Name one for embeddings.',
      model_package_missing: 'The package for this provider is not installed. The message has the command.',
      budget_exceeded: 'The budget of the context is spent for this month. Raise it under Usage.',
      run_budget_exceeded: 'The run has spent what one run may. Raise it under Usage.',
      model_without_price: 'A budget cannot hold a model without a price. Set it under Usage.',
      agent_max_steps:
        'The agent still calls tools after its most steps. Raise it, or make the task smaller.',
      agent_out_of_time: 'The time of the node was over. A retry goes on from there.',
      tool_arguments_invalid: 'The model called a tool with arguments that do not fit its schema.',
      tool_rejected: 'A person was asked about this call, and said no.',
      mcp_tool_missing: 'The server has no tool of this name. The message lists those that it has.',
      mcp_tool_failed: 'The tool of the server failed. The message has its words.',
      mcp_refused: 'The server refused the request. The message has its words.',
      mcp_asks_back: 'The tool asks something back in the middle of its work, which nobody can answer here.',
      mcp_broken_off: 'The server ended before it had answered. It is tried again.',
      mcp_answer_invalid: 'What answers is no MCP server. Check the address.',
      mcp_answer_too_large: 'The tool answered with more than 4 MB. Ask for less.',
      mcp_arguments_invalid: 'The arguments have to be an object of templates.'
    }
  },
  {
    title: 'The assistant',
    page: 'assistant',
    errors: {
      assistant_no_answer: 'The model said nothing, twice. Ask in other words, or choose another one.',
      assistant_max_steps: 'The model looked around and proposed nothing. Ask for less at once.',
      assistant_out_of_time: 'The model took more than five minutes. Ask for less, or choose a faster one.',
      assistant_too_long: 'The model has looked at more than fits. Name the nodes that it is about.',
      assistant_stopped: 'Whoever asked has gone. Ask again.'
    }
  },
  {
    title: 'Repeating, other flows, waiting',
    page: 'logic',
    errors: {
      items_not_a_list: 'For each needs a list. Name its path in the field List.',
      too_many_items: 'The list is longer than one For each takes. Send it in parts, with Batch.',
      item_failed: 'An item failed, and the rest was stopped. Collect failures to go on.',
      round_failed: 'A round of the Repeat failed. The message names the round and the reason.',
      nothing_to_repeat: 'No node stands inside of the frame. Move some in.',
      no_children: 'A node that starts runs cannot be tried alone. Test the flow up to it.',
      too_deep: 'Flows start each other more than 32 deep. Do they run in a circle?',
      flow_not_found: 'The context sees no flow of this name. Choose another one.',
      flow_run_gone: 'The run of the other flow was deleted meanwhile.',
      flow_paused: 'The other flow is paused and refuses. Resume it.',
      answer_invalid: 'The answer cannot be sent: its status or a header is no valid one.',
      wait_in_past: 'The moment to wait for is over. Name a later one.',
      invalid_time: 'The text is no time. Use ISO 8601.',
      invalid_duration: 'This is no length of time. Write `30s`, `5m`, `2h` or `3d`.',
      question_too_long: 'The question is longer than a person would read. Ask about less.'
    }
  },
  {
    title: 'Files and documents',
    page: 'documents',
    errors: {
      file_not_found: 'The run may not open this file, or it was deleted. Send the file itself.',
      file_too_large: 'The file is larger than can be read at once here.',
      document_broken: 'The document cannot be read: it is broken, or not what its type says.',
      document_package_missing: 'A package for this type is not installed. The message has the command.',
      document_process_ended: 'Reading this document took too much. It is tried again in a new process.',
      kept_value_not_found: 'Nothing is kept under this key. Set it first, or fill in Default.'
    }
  }
]
