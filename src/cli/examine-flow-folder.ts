import { messageOf } from '../errors.ts'
import { readFolder } from '../flow-files/folder.ts'
import { readFlowFolder } from '../startup/flow-folder/read-flow-folder.ts'
import { type Finding, fault, ok } from '../store/finding.ts'

/** Whether the folder that flows come from can be read; what the flows mean is for the service to judge. */
export async function examineFlowFolder(folder: string): Promise<Finding> {
  try {
    const { files, faults } = await readFlowFolder(folder)
    const { flows, faults: broken } = readFolder(files)
    const [first] = [...faults, ...broken]
    if (first === undefined) return ok('flows', `${flows.length} flows in the folder ${folder}`)
    const { file, line, column, message } = first
    return fault(
      'flows',
      `${file}:${line}:${column}: ${message}`,
      'The service goes on with what it had, until all files can be read.'
    )
  } catch (error) {
    return fault('flows', messageOf(error), 'Correct MILLRACE_FLOWS, or make the folder.')
  }
}
