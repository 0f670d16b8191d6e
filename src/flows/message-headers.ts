/** In lower case. They belong to the message as it travels: whoever sends it sets them, and no node or connection does. */
export const MESSAGE_HEADERS: readonly string[] = [
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer'
]
