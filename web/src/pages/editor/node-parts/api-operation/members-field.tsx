import { useId, useState } from 'react'
import { isPlainObject, type JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import {
  type Member,
  membersOfBody,
  membersOfParameters,
  withMember
} from '../../../../editor/operations/members.ts'
import { readTextOrJson } from '../../../../editor/template/text-or-json.ts'
import { DraftControl } from '../../fields/field-control.tsx'
import fields from '../../fields/fields.module.css'
import type { FieldPartProps } from '../../node-part.ts'
import { BodyField } from '../api-request/body-field.tsx'
import { TemplateInput } from '../template/template-input.tsx'
import type { TemplateScope } from '../template/template-language.ts'
import { useTemplateSample } from '../template/use-template-sample.ts'
import { useDeclared } from '../use-declared.ts'
import { useTemplateVariables } from '../use-template-variables.ts'
import classes from './api-operation.module.css'
import { useNodeOperation } from './use-node-operation.ts'

/** The parameters of the operation, each in a field of its own. */
export function ParametersField(props: FieldPartProps) {
  const operation = useNodeOperation(props.node)
  if (operation.data === undefined) return <BodyField {...props} />
  const members = membersOfParameters(operation.data)
  return members.length === 0 && props.value === null ? (
    <p className={fields.help}>This operation has no parameters.</p>
  ) : (
    <MembersField {...props} members={members} />
  )
}

/** What the operation is sent, member by member where it is an object. */
export function OperationBodyField(props: FieldPartProps) {
  const operation = useNodeOperation(props.node)
  if (operation.data === undefined) return <BodyField {...props} />
  if (operation.data.body === null && props.value === null)
    return <p className={fields.help}>This operation takes no body.</p>
  return <MembersField {...props} members={membersOfBody(operation.data)} />
}

function MembersField(props: FieldPartProps & { readonly members: readonly Member[] }) {
  const { value, members } = props
  const [isWhole, setWhole] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const scope = useScope(props, isAsking)
  const given = value === null || value === '' ? {} : value
  // What is given its first letter must not move to another place under the hand that writes it.
  const [begun] = useState(() => (isPlainObject(given) ? Object.keys(given) : []))
  const isObject = isPlainObject(given)
  const isListed = isObject && members.length > 0 && !isWhole
  const toggle = isObject && members.length > 0 && (
    <button type="button" className={`${classes.toggle} nodrag`} onClick={() => setWhole(!isWhole)}>
      {isListed ? 'Edit as JSON' : 'Edit by name'}
    </button>
  )
  if (!isListed)
    return (
      <>
        <BodyField {...props} />
        {toggle}
      </>
    )
  const shown = members.filter(({ name, isRequired }) => isRequired || begun.includes(name))
  const others = members.filter((member) => !shown.includes(member))
  const row = (member: Member) => (
    <MemberRow
      key={member.name}
      {...props}
      member={member}
      scope={scope}
      given={Object.hasOwn(given, member.name) ? given[member.name]! : null}
      onGive={(one) => props.onChange(withMember(given, member.name, one))}
    />
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the fields inside of it are what is worked with.
    <div className={classes.members} onFocus={() => setAsking(true)}>
      {shown.map(row)}
      {others.length > 0 && (
        <details open={shown.length === 0}>
          <summary>{shown.length === 0 ? 'Optional' : `${others.length} more`}</summary>
          <div className={classes.members}>{others.map(row)}</div>
        </details>
      )}
      {props.faultList}
      {toggle}
    </div>
  )
}

/** Nobody asks the service for what came last until somebody is here. */
function useScope({ node, name }: FieldPartProps, isAsking: boolean): TemplateScope {
  const sample = useTemplateSample({ node: node.id, field: name, isAsking })
  return { data: sample.data, variables: useTemplateVariables(node.id), declared: useDeclared(node.id) }
}

interface MemberRowProps extends FieldPartProps {
  readonly member: Member
  readonly scope: TemplateScope
  readonly given: JsonValue
  readonly onGive: (value: JsonValue) => void
}

function MemberRow(props: MemberRowProps) {
  const id = useId()
  const { name, type, isRequired, description } = props.member
  return (
    <div className={classes.member}>
      <span id={`${id}-label`} className={classes.name}>
        {name}
        {isRequired && <span className={classes.required}> (required)</span>}
        <span className={classes.type}>{type}</span>
      </span>
      <MemberValue {...props} id={id} />
      {description !== '' && (
        <p id={`${id}-help`} className={fields.help}>
          {description}
        </p>
      )}
    </div>
  )
}

/** A template; where a list or an object has been written, that, as JSON. */
function MemberValue({
  id,
  member,
  scope,
  given,
  onGive,
  ...props
}: MemberRowProps & { readonly id: string }) {
  const { name, description, placeholder } = member
  const isTemplate = given === null || typeof given === 'string'
  // Not while it is written: a brace that is closed by itself is an object, too.
  const finish = () => {
    const whole = given === null ? null : readTextOrJson(given as string)
    if (whole !== null && 'value' in whole && whole.value !== given) onGive(whole.value)
  }
  return isTemplate ? (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field inside of it is what is worked with.
    <div onBlur={finish}>
      <TemplateInput
        value={given ?? ''}
        label={name}
        labelId={`${id}-label`}
        placeholder={placeholder}
        scope={scope}
        isReadOnly={props.isReadOnly}
        onChange={onGive}
      />
    </div>
  ) : (
    <DraftControl
      {...props}
      field={{ kind: 'text', title: name, placeholder }}
      value={given}
      onChange={onGive}
      faults={[]}
      faultList={null}
      labelId={`${id}-label`}
      describedBy={description === '' ? '' : `${id}-help`}
      read={readTextOrJson}
    />
  )
}
