import { usedName } from '../../../../../../src/flows/validate/connection-uses.ts'
import { useModels } from '../../../../api/models.ts'
import { problemOf } from '../../../../api/problem.ts'
import { offeredNames } from '../../../../editor/models/offered-names.ts'
import { useDrawnFlow } from '../../editor-context.ts'
import type { FieldPartProps } from '../../node-part.ts'
import { NameInput, type OfferedNames } from '../names/name-input.tsx'
import { useContextScope } from '../use-context-scope.ts'

const NO_NAMES: readonly string[] = []

/** The model at the connection that another field names. */
export function ModelField(props: FieldPartProps) {
  return <NameInput {...props} useOffered={useModelsOffered} />
}

export function FallbackModelField(props: FieldPartProps) {
  return <NameInput {...props} useOffered={useFallbackModelsOffered} />
}

function useModelsOffered(props: FieldPartProps, isOpen: boolean, typed: string | undefined) {
  return useOffered(props, 'connection', { isOpen, typed })
}

function useFallbackModelsOffered(props: FieldPartProps, isOpen: boolean, typed: string | undefined) {
  return useOffered(props, 'fallback_connection', { isOpen, typed })
}

interface Asked {
  readonly isOpen: boolean
  readonly typed: string | undefined
}

/** Those that the provider lists. */
function useOffered(
  { node }: FieldPartProps,
  connectionField: string,
  { isOpen, typed }: Asked
): OfferedNames {
  const context = useDrawnFlow((flow) => flow.context)
  const { variables } = useContextScope()
  const named = node.fields[connectionField]
  const connection =
    typeof named === 'string' ? usedName({ name: named, field: connectionField }, variables) : ''
  const { data = NO_NAMES, error, isFetching } = useModels(context, connection, { enabled: isOpen })
  const names = offeredNames(data, typed)
  return {
    names,
    error,
    isAsked: connection !== '',
    remark: remarkOn(names.length, isFetching, error),
    show: (name) => name
  }
}

function remarkOn(count: number, isAsking: boolean, error: Error | null): string {
  if (isAsking && count === 0) return 'Asking the provider for its models…'
  if (error !== null)
    return `The models cannot be listed. ${problemOf(error).detail} You can still type a name.`
  return count === 0 ? 'The provider lists no model of this name. You can use it anyway.' : ''
}
