/** What keeps a draft from being published, or is probably a mistake in it. */
export const FLOW_FAULTS: Readonly<Record<string, string>> = {
  invalid_shape: 'A part of the document is of the wrong type, too long, or missing.',
  invalid_field: 'A field has a value that its component does not take.',
  unknown_type: 'The context sees no component of this type. A plugin may not be loaded.',
  unknown_context: 'There is no such context.',
  unknown_parent: 'The node stands inside of a node that is not there.',
  not_a_region: 'Only For each and Repeat hold nodes.',
  nested_region: 'A region holds no other region. Put the inner one into a flow of its own.',
  trigger_in_region: 'A trigger cannot stand inside of a For each or Repeat.',
  return_in_region: 'A Return cannot stand inside of a For each or Repeat.',
  duplicate_node_id: 'Two nodes have the same id.',
  duplicate_note_id: 'Two notes have the same id.',
  duplicate_trigger: 'A flow has one trigger of each type.',
  invalid_edge: 'A wire is not written as `node.output` and `node.input`.',
  edge_to_nowhere: 'A wire begins or ends where no port is. Remove it, or choose a port.',
  input_taken: 'The same wire is there twice.',
  port_type_mismatch: 'The output gives another type than the input takes. Put a Parser or Convert between.',
  cycle: 'The wires lead in a circle. Use Repeat to do something again.',
  reference_not_upstream: 'A template reads a node that does not lead to this one. Wire it, or read another.',
  reference_to_nothing:
    'A template reads what neither that node nor any run has. The message says what there is.',
  unknown_wait: 'A `{$resume.…}` or `{$approve.…}` names no node that waits.',
  missing_connection: 'No connection of this name is visible. Make it before the flow is to run.',
  component_failed: 'The code of a component failed while it judged its fields.',
  not_wired: 'Nothing leads to the node, so no run takes it.',
  loose_in_region:
    'The node stands in a For each and has nothing to do with its items; it runs for each all the same.',
  may_not_answer: 'Behind this output comes no Respond and no Return, so a caller who waits gets `204`.',
  respond_in_region: 'What stands in a region answers nobody. Put Respond behind the region.',
  time_not_signed: 'Anybody could set the time, since the signature does not cover it.',
  reference_not_read:
    'The field takes no template, so what it refers to is not read. Write it out, or use a field that takes templates.',
  more_faults: 'There are more faults than are listed. Mend these first.'
}
