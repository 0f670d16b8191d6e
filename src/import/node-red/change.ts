import type { Part } from '../become.ts'
import { type Members, membersIn, textOf } from '../values.ts'
import type { Mapping } from './mapping.ts'
import { pathOf } from './property.ts'
import type { RedNode } from './red-node.ts'
import type { Scope, Writer } from './writer.ts'

interface Rule {
  readonly t: string
  readonly p: string
  readonly pt: string
  readonly to: string
  readonly tot: string
  readonly from: string
  readonly fromt: string
}

/** Older files have one rule, written into the node. */
function rulesOf({ raw }: RedNode): Rule[] {
  if (Array.isArray(raw.rules)) return membersIn(raw.rules).map(ruleOf)
  const action = textOf(raw.action)
  return [
    ruleOf({
      t: action === 'replace' ? 'set' : action,
      p: raw.property,
      to: raw.to,
      from: raw.from,
      re: raw.reg !== false
    })
  ]
}

function ruleOf(rule: Members): Rule {
  const to = textOf(rule.to)
  const isPath = rule.t === 'set' && rule.tot === undefined && to.startsWith('msg.')
  return {
    t: textOf(rule.t) || 'set',
    p: textOf(rule.p),
    pt: textOf(rule.pt) || 'msg',
    to: isPath ? to.slice(4) : to,
    tot: isPath ? 'msg' : textOf(rule.tot) || 'str',
    from: textOf(rule.from),
    fromt: rule.re === true ? 're' : textOf(rule.fromt) || 'str'
  }
}

/** Rules are done one after the other. What JSONata computes of the message between them is a Transform. */
export const change: Mapping = (node, write) => {
  const rules = rulesOf(node)
  const [only] = rules
  if (rules.length === 1 && only?.t === 'set' && only.tot === 'jsonata' && only.pt === 'msg') {
    const path = pathOf(only.p)
    if (path?.length === 1 && typeof path[0] === 'string') return computed(path[0], only.to, write)
  }
  const isLate = (rule: Rule, at: number) => at > 0 && rule.tot === 'jsonata'
  if (!rules.some(isLate)) return write.single(`${codeOf(rules, write)}\nreturn msg`)
  return stepwise(rules, write)
}

/** `set msg.payload to` JSONata, as one Transform: an absent result takes the property away. */
function computed(key: string, expression: string, write: Writer) {
  const name = JSON.stringify(key)
  const part: Part = {
    type: 'transform',
    fields: {
      expression: `$merge([$sift($, function($v, $k) { $k != ${name} }), { ${name}: (${write.expression(expression)}) }])`
    }
  }
  return write.become({ main: part }, 'main.data')
}

/** JSONata reads what the rules before it have made: code, Transform, code … */
function stepwise(rules: readonly Rule[], write: Writer) {
  const parts: Record<string, Part> = {}
  const links: [string, string][] = []
  let group: Rule[] = []
  let last = ''
  const flush = (value?: { readonly rule: Rule; readonly part: string }) => {
    const name = last === '' ? 'main' : `step${Object.keys(parts).length}`
    const lines = [
      ...(value === undefined ? [] : [applied(value.rule, `nodes["\u{e003}-${value.part}"]?.data`, write)]),
      codeOf(group, write)
    ]
    parts[name] = {
      type: 'code',
      ...(last !== '' && { title: `${write.node.title}, next`.slice(0, 200) }),
      fields: { code: write.code(`const msg = data\n${lines.join('\n')}\nreturn msg`) }
    }
    if (last !== '') links.push([`${last}.result`, `${name}.data`])
    if (value !== undefined) links.push([`${value.part}.data`, `${name}.data`])
    last = name
    group = []
  }
  let pending: { readonly rule: Rule; readonly part: string } | undefined
  for (const rule of rules.slice(0, 40)) {
    if (rule.tot !== 'jsonata' || rule.t !== 'set') {
      group.push(rule)
      continue
    }
    flush(pending)
    const part = `value${Object.keys(parts).length}`
    parts[part] = { type: 'transform', title: 'Value', fields: { expression: write.expression(rule.to) } }
    links.push([`${last}.result`, `${part}.data`])
    pending = { rule, part }
  }
  flush(pending)
  return write.become(parts, `${last}.result`, links)
}

function codeOf(rules: readonly Rule[], write: Writer): string {
  return rules.map((rule) => codeOfRule(rule, write)).join('\n')
}

function codeOfRule(rule: Rule, write: Writer): string {
  switch (rule.t) {
    case 'delete':
      return applied(rule, 'undefined', write)
    case 'move':
      return moved(rule, write)
    case 'change':
      return replaced(rule, write)
    default:
      return applied(rule, write.value(rule.tot, rule.to), write)
  }
}

/** Puts a value where the rule says. */
function applied({ p, pt }: Rule, value: string, write: Writer): string {
  if (pt === 'msg') return write.set(p, value)
  const path = pathOf(p.replace(/^#:\([^)]*\)::/, ''))
  const variable = typeof path?.[0] === 'string' ? write.keeps(pt as Scope, path[0]) : undefined
  if (path === undefined || variable === undefined) return ''
  const name = JSON.stringify(variable.slice('$kept.'.length))
  return `$set($kept, [${[name, ...path.slice(1).map((step) => JSON.stringify(step))].join(', ')}], ${value})`
}

function moved(rule: Rule, write: Writer): string {
  const target = { ...rule, p: rule.to, pt: rule.tot === 'str' ? 'msg' : rule.tot }
  const value = rule.pt === 'msg' ? write.get(rule.p) : write.kept(rule.pt as Scope, rule.p)
  return `{ const moved = ${value}; ${applied(rule, 'undefined', write)}; ${applied(target, 'moved', write)} }`
}

/** Searches and replaces: a text in a text, a number or a truth value as a whole. */
function replaced(rule: Rule, write: Writer): string {
  const current = rule.pt === 'msg' ? write.get(rule.p) : write.kept(rule.pt as Scope, rule.p)
  const from = write.value(rule.fromt, rule.from)
  const isPattern = rule.fromt === 're'
  return `{
  const current = ${current}, from = ${from}, to = ${write.value(rule.tot, rule.to)}
  if (typeof current === 'string' && ${isPattern ? 'true' : "from !== undefined && from !== ''"}) {
    const changed = ${isPattern ? 'current.replace(from, to)' : 'current === String(from) ? to : current.replaceAll(String(from), to)'}
    ${applied(rule, rule.tot === 'bool' ? 'changed === String(to) ? to : changed' : 'changed', write)}
  } else if (current === from || (typeof current === 'number' && String(current) === String(from))) {
    ${applied(rule, 'to', write)}
  }
}`
}
