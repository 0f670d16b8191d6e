import type { Ports } from '../../../../../src/flows/component/ports.ts'
import { writeJson } from '../../../../../src/flows/json/exact-json.ts'
import { HelpLink } from '../../../design/help-link.tsx'
import { PortMark } from '../../../design/port-mark.tsx'
import type { ComponentFacts } from '../../../editor/wiring/page-catalogue.ts'
import classes from './about.module.css'

/** What a component does and takes, in the words of its author. */
export function AboutComponent({ component }: { readonly component: ComponentFacts }) {
  const { description, example, category, fields, inputs, outputs, type, context } = component
  return (
    <div className={classes.about}>
      {description !== '' && <p>{description}</p>}
      {example !== null && (
        <p className={classes.example}>
          <span className={classes.quiet}>Example</span> {example}
        </p>
      )}
      <p className={classes.quiet}>
        {category} · <code>{type}</code>
      </p>
      <p>
        <HelpLink to={`components/${encodeURIComponent(type)}?context=${encodeURIComponent(context ?? '/')}`}>
          {`${component.title} in the reference`}
        </HelpLink>
      </p>
      <PortList title="Inputs" ports={inputs} />
      {component.inputs_from_template !== null && (
        <p className={classes.quiet}>Each variable of its template is an input too.</p>
      )}
      <PortList title="Outputs" ports={outputs} />
      {Object.keys(fields).length > 0 && (
        <section>
          <h3>Fields</h3>
          <dl className={classes.list}>
            {Object.entries(fields).map(([name, field]) => (
              <div key={name}>
                <dt>
                  {field.title} <code>{name}</code>
                </dt>
                <dd>
                  {field.help}
                  {field.default !== undefined && field.default !== '' && (
                    <span className={classes.default}>
                      Default: <code>{writeJson(field.default)}</code>
                    </span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </div>
  )
}

function PortList({ title, ports }: { readonly title: string; readonly ports: Ports }) {
  const entries = Object.entries(ports)
  if (entries.length === 0) return null
  return (
    <section>
      <h3>{title}</h3>
      <dl className={classes.list}>
        {entries.map(([name, port]) => (
          <div key={name}>
            <dt>
              <PortMark type={port.type} /> {port.title} <code>{port.type}</code>
            </dt>
            {port.help !== undefined && <dd>{port.help}</dd>}
          </div>
        ))}
      </dl>
    </section>
  )
}
