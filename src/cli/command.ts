import json from '../../scripts/commands.json' with { type: 'json' }
import type { Declared } from '../../scripts/declared.mjs'

export const declared: Declared = json

type Commands = typeof json.commands

type CommandName = keyof Commands

type OperandsOf<C> = C extends { operands: infer Operands }
  ? {
      readonly [Name in keyof Operands]: Operands[Name] extends { rest: boolean }
        ? readonly string[]
        : Operands[Name] extends { optional: boolean }
          ? string | undefined
          : string
    }
  : unknown

type ValuesOf<Options> = {
  readonly [Name in keyof Options]: Options[Name] extends { multiple: boolean }
    ? readonly string[]
    : Options[Name] extends { takes: string }
      ? string | undefined
      : boolean
}

type OptionsOf<C> = (C extends { options: infer Options } ? ValuesOf<Options> : unknown) &
  (C extends { remote: boolean } ? ValuesOf<typeof json.remote> : unknown)

/** A command as it was typed, by what scripts/commands.json declares: a name gives the types of its operands and options. */
export type Command<Name extends CommandName = CommandName> = {
  [Each in Name]: {
    readonly name: Each
    readonly operands: OperandsOf<Commands[Each]>
    readonly options: OptionsOf<Commands[Each]>
  }
}[Name]

export type RemoteName = {
  [Name in CommandName]: Commands[Name] extends { remote: boolean } ? Name : never
}[CommandName]

export function isRemote(command: Command): command is Command<RemoteName> {
  return declared.commands[command.name]!.remote === true
}

export function isEndless(name: CommandName): boolean {
  return declared.commands[name]!.endless === true
}
