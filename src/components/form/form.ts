import {
  defineComponent,
  type FieldFault,
  formFieldFaults,
  isFormColour,
  isFormPicture,
  readFormFields,
  thanksFault
} from '../../plugin-api.ts'

/** Starts a run for whoever fills in the flow's form. The fields say what its page shows and asks for. */
export const form = defineComponent({
  type: 'form',
  title: 'Form',
  description: 'Starts the flow when somebody sends its form, on a page of its own that anyone can open.',
  category: 'Triggers',
  icon: 'form',
  keywords: [
    'form trigger',
    'survey',
    'questionnaire',
    'contact form',
    'feedback',
    'intake',
    'sign up',
    'application',
    'page',
    'upload',
    'typeform'
  ],
  example: 'Customers write their name, their email and a question; the flow answers by mail.',
  effects: 'pure',
  trigger: 'form',
  fields: {
    link: {
      kind: 'text',
      title: 'Link',
      help: 'Anyone who opens this address can fill in the form.',
      copy: true,
      readonly: true
    },
    title: { kind: 'text', title: 'Title', placeholder: 'Form', default: 'Contact us' },
    description: {
      kind: 'text',
      title: 'Description',
      help: 'Stands below the title.',
      multiline: true
    },
    fields: {
      kind: 'json',
      title: 'Fields',
      help: 'What the form asks for, in this order.',
      default: [
        { name: 'name', label: 'Name', type: 'text', required: true },
        { name: 'email', label: 'Email', type: 'email', required: true },
        { name: 'message', label: 'Message', type: 'long text', required: true }
      ]
    },
    button: { kind: 'text', title: 'Button', placeholder: 'Send', default: 'Send' },
    thanks: {
      kind: 'text',
      title: 'Thanks',
      help: 'What is shown once the form was sent. {name} is what was written in the field of that name.',
      multiline: true,
      default: 'Thank you. What you sent has arrived.'
    },
    rate_limit: {
      kind: 'number',
      title: 'Rate limit',
      help: 'Forms that are taken per minute, and a quarter of that from one address; 0 sets no limit.',
      default: 60,
      min: 0,
      max: 1_000_000,
      integer: true,
      hidden: true
    },
    picture: {
      kind: 'text',
      title: 'Picture',
      help: 'Stands above the title, such as a logo: an address that begins with https://, or data:image/png;base64,…',
      placeholder: 'https://example.com/logo.png',
      hidden: true
    },
    accent: {
      kind: 'text',
      title: 'Colour',
      help: 'Of the button and of the line at the top.',
      placeholder: '#0b6477',
      hidden: true
    },
    embed: {
      kind: 'text',
      title: 'Embed',
      help: 'HTML that shows the form on a page of yours.',
      multiline: true,
      copy: true,
      readonly: true,
      hidden: true
    }
  },
  outputs: {
    data: { title: 'Data', type: 'data', help: 'The answers, by the names of the fields.' },
    request: {
      title: 'Request',
      type: 'data',
      help: 'Method, headers, query and address of the request, without secrets.'
    }
  },
  check: ({ fields, thanks, picture, accent }): FieldFault[] => {
    const faults = formFieldFaults(fields).map((message): FieldFault => ({ field: 'fields', message }))
    // What the fields are called is not known as long as they are not sound.
    const fault = faults.length === 0 ? thanksFault(thanks, readFormFields(fields)) : undefined
    if (fault !== undefined) faults.push({ field: 'thanks', ...fault })
    if (picture.trim() !== '' && !isFormPicture(picture.trim())) {
      const message =
        'It is not the address of a picture. Begin with https://, or with data:image/png;base64, and at most 300,000 characters.'
      faults.push({ field: 'picture', message })
    }
    if (accent.trim() !== '' && !isFormColour(accent.trim()))
      faults.push({
        field: 'accent',
        message: 'It is not a colour. Write # and six digits, such as #0b6477.'
      })
    return faults
  },
  run: ({ run }) => ({ data: run.input, request: run.request })
})
