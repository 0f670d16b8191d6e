import { useId, useMemo, useState } from 'react'
import type {
  Condition,
  ConditionGroup
} from '../../../../../../src/components/expression/conditions/condition.ts'
import { writeCondition } from '../../../../../../src/components/expression/conditions/write-condition.ts'
import { asGroup } from '../../../../editor/conditions/change-group.ts'
import { conditionPaths } from '../../../../editor/conditions/condition-paths.ts'
import { FieldControl } from '../../fields/field-control.tsx'
import type { FieldPartProps } from '../../node-part.ts'
import { useTemplateSample } from '../template/use-template-sample.ts'
import { useDeclared } from '../use-declared.ts'
import { useTemplateVariables } from '../use-template-variables.ts'
import { itemOf, rootsOf } from './condition-scope.ts'
import classes from './conditions.module.css'
import { ConditionsContext } from './conditions-context.ts'
import { GroupView } from './group-view.tsx'

interface ConditionBuilderProps extends FieldPartProps {
  /** The rows of an expression; undefined where it is none. */
  readonly rowsOf: RowsOf
}

type RowsOf = (source: string, roots: readonly string[]) => Condition | undefined

/** Rows over the expression. What the expression does not show yet, such as a row without a path, is kept beside it. */
export function ConditionBuilder({ rowsOf, ...props }: ConditionBuilderProps) {
  const { node, onChange, isReadOnly } = props
  const source = String(props.value)
  const [draft, setDraft] = useState<
    { readonly source: string; readonly group: ConditionGroup } | undefined
  >()
  const roots = rootsOf(node.type)
  const read = useMemo(() => readGroup(source, roots, rowsOf), [source, roots, rowsOf])
  const group = draft?.source === source ? draft.group : read
  if (group === undefined)
    return (
      <>
        <p className={classes.why}>This is no expression yet, so there are no rows to show.</p>
        <FieldControl {...props} />
      </>
    )
  const change = (next: ConditionGroup) => {
    const written = writeCondition(next)
    setDraft({ source: written, group: next })
    if (written !== source) onChange(written)
  }
  return (
    <WithPaths {...props} roots={roots}>
      <GroupView
        group={group}
        depth={1}
        label={props.field.title}
        onChange={change}
        isReadOnly={isReadOnly}
      />
      {source !== '' && <code className={classes.source}>{source}</code>}
      {props.faultList}
    </WithPaths>
  )
}

function readGroup(source: string, roots: readonly string[], rowsOf: RowsOf): ConditionGroup | undefined {
  if (source.trim() === '') return asGroup(undefined)
  const condition = rowsOf(source, roots)
  return condition === undefined ? undefined : asGroup(condition)
}

interface WithPathsProps extends FieldPartProps {
  readonly roots: readonly string[]
  readonly children: React.ReactNode
}

/** Offers the paths of what came last, once somebody works with the rows. */
function WithPaths({ node, name, roots, children }: WithPathsProps) {
  const [isAsking, setAsking] = useState(false)
  const list = useId()
  const { data } = useTemplateSample({ node: node.id, field: name, isAsking })
  const variables = useTemplateVariables(node.id)
  const declared = useDeclared(node.id)
  const paths = useMemo(
    () => (isAsking ? conditionPaths(itemOf(node, data), variables, roots, declared()) : []),
    [isAsking, node, data, variables, roots, declared]
  )
  const context = useMemo(() => ({ list, roots }), [list, roots])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the fields inside of it are what is worked with.
    <div className={classes.builder} onFocus={() => setAsking(true)}>
      <ConditionsContext value={context}>{children}</ConditionsContext>
      <datalist id={list}>
        {paths.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </div>
  )
}
