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
  const given = value === null || value === '' ? {} : value
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
  const shown = members.filter(({ name, isRequired }) => isRequired || Object.hasOwn(given, name))
  const others = members.filter((member) => !shown.includes(member))
  const row = (member: Member) => (
    <MemberRow
      key={member.name}
      {...props}
      member={member}
      given={Object.hasOwn(given, member.name) ? given[member.name]! : null}
      onGive={(one) => props.onChange(withMember(given, member.name, one))}
    />
  )
  return (
    <div className={classes.members}>
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

interface MemberRowProps extends FieldPartProps {
  readonly member: Member
  readonly given: JsonValue
  readonly onGive: (value: JsonValue) => void
}

function MemberRow({ member, given, onGive, ...props }: MemberRowProps) {
  const id = useId()
  const { name, type, isRequired, description, placeholder } = member
  return (
    <div className={classes.member}>
      <span id={`${id}-label`} className={classes.name}>
        {name}
        {isRequired && <span className={classes.required}> (required)</span>}
        <span className={classes.type}>{type}</span>
      </span>
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
      {description !== '' && (
        <p id={`${id}-help`} className={fields.help}>
          {description}
        </p>
      )}
    </div>
  )
}
