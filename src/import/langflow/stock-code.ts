/**
 * Code that the starter projects of Langflow 1.0 brought along as edited, though it is what Langflow gives these components, or gave
 * them a version before: each was read. It is told by its length and two sums, and run by nobody.
 */
const STOCK: ReadonlySet<string> = new Set([
  '1978-54ace872194bd0f4', // ChatInput
  '2021-82eb0e03e24badd5', // ChatInput
  '1812-52ccde26103c8024', // ChatOutput
  '1869-19ddf403759793f1', // ChatOutput
  '2860-5a5de5433aed52a9', // Memory
  '4335-2f8ac6710e9dcb8f', // OpenAIModel
  '1704-7a95f21fc9e47cb5', // Prompt
  '3151-4ae08f9ffebf1431', // RecursiveCharacterTextSplitter
  '695-1228cbfa5f1277ac', // TextInput
  '757-4a8f19fe17f3cb0c', // TextOutput
  '1902-e532be3f1fbe07f5' // ToolCallingAgent
])

const LONGEST = 10_000

export function isStockCode(code: string): boolean {
  return code.length <= LONGEST && STOCK.has(sumsOf(code))
}

/** Two of FNV-1a, each with a beginning of its own. */
function sumsOf(code: string): string {
  return `${code.length}-${sumOf(code, 0x811c9dc5)}${sumOf(code, 0x050c5d1f)}`
}

function sumOf(code: string, beginning: number): string {
  let sum = beginning
  for (let at = 0; at < code.length; at++) sum = Math.imul(sum ^ code.charCodeAt(at), 0x01000193)
  return (sum >>> 0).toString(16).padStart(8, '0')
}
