/** What a browser would send of a form, with its type. */
export async function multipartOf(
  fields: readonly (readonly [name: string, value: string | File])[]
): Promise<{ readonly body: Buffer; readonly type: string }> {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  const sent = new Response(form)
  return { body: Buffer.from(await sent.arrayBuffer()), type: sent.headers.get('content-type')! }
}
