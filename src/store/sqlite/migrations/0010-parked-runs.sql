-- What is due is taken up flow by flow, as much of each as there is room for: none waits behind those of another flow.
CREATE INDEX queue_parked_by_flow ON queue (flow_id, due_at) WHERE due_at IS NOT NULL;
