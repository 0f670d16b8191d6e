import { useDebouncedValue } from '@mantine/hooks'
import type { Operation } from '../../../../api/operations.ts'
import fields from '../../fields/fields.module.css'
import type { FieldPartProps } from '../../node-part.ts'
import { NameInput, type OfferedNames } from '../names/name-input.tsx'
import classes from './api-operation.module.css'
import { useNodeOperation, useOperationSearch } from './use-node-operation.ts'

/** The operation, found by what it does; what it is, under it. */
export function OperationField(props: FieldPartProps) {
  const operation = useNodeOperation(props.node)
  return (
    <>
      <NameInput {...props} useOffered={useOffered} />
      {operation.data !== undefined && <AboutOperation operation={operation.data} />}
    </>
  )
}

function useOffered(
  { node, value }: FieldPartProps,
  isOpen: boolean,
  typed: string | undefined
): OfferedNames {
  const [q] = useDebouncedValue(typed ?? '', 150)
  const { data = [], error, isFetching, hasDocument, isKnown } = useOperationSearch(node, q, isOpen)
  const named = new Map(data.map((operation) => [operation.id, operation]))
  const isNone = isKnown && !hasDocument
  return {
    names: [...named.keys()],
    isAsked: node.fields.connection !== undefined && node.fields.connection !== '',
    error,
    remark: isNone ? NO_DOCUMENT : remarkOn(named.size, isFetching, error, String(value)),
    show: (name) => <OfferedOperation operation={named.get(name)} />
  }
}

const NO_DOCUMENT =
  'This connection has no document yet. Add the OpenAPI document of the API to it, on the page Connections.'

function remarkOn(count: number, isFetching: boolean, error: Error | null, value: string): string {
  if (isFetching && count === 0) return 'Looking through the document…'
  if (error !== null) return 'The operations cannot be listed. You can still type a name.'
  return count === 0 && value !== '' ? 'No operation does that. Try other words.' : ''
}

function OfferedOperation({ operation }: { readonly operation: Operation | undefined }) {
  if (operation === undefined) return null
  const { title, method, path, deprecated } = operation
  return (
    <span className={classes.offered}>
      <span className={classes.title}>
        {title}
        {deprecated && ' (deprecated)'}
      </span>
      <span className={classes.place}>
        {method} {path}
      </span>
    </span>
  )
}

function AboutOperation({ operation }: { readonly operation: Operation }) {
  const { title, method, path, description, deprecated } = operation
  return (
    <div className={classes.about}>
      <p className={fields.help}>
        <strong>{title}</strong>
        {deprecated && ' (deprecated)'}
      </p>
      <p className={classes.place}>
        {method} {path}
      </p>
      {description !== '' && description !== title && (
        <details>
          <summary>What it does</summary>
          <p className={fields.help}>{description}</p>
        </details>
      )}
    </div>
  )
}
