// A reporter for node's test runner: the files in which something failed, one to a line. It speaks at the very end
// only, so that a runner that came to grief leaves no list that looks whole.
export default async function* failedFiles(events) {
  const failed = new Set()
  for await (const { type, data } of events) if (type === 'test:fail') failed.add(data.file)
  for (const file of failed) yield `${file}\n`
}
