/** How a command ends: done; no; used in a wrong way. */
export type ExitCode = 0 | 1 | 2

/** Something that whoever typed the command can mend. Its message is all that is printed. */
export class CommandError extends Error {
  readonly exitCode: ExitCode = 1
}

/** The command is not written as it has to be: nothing was tried. */
export class UsageError extends CommandError {
  override readonly exitCode: ExitCode = 2
}

/** The answer, which was printed already, is no. */
export class AnswerIsNo extends CommandError {
  constructor() {
    super('')
  }
}
