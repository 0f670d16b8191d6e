import { customerOrders } from './customer-orders.ts'
import type { FlowTemplate } from './flow-template.ts'
import { formPost } from './form-post.ts'
import { monitoringAlert } from './monitoring-alert.ts'
import { parcel } from './parcel.ts'
import { repositoryEvent } from './repository-event.ts'
import { shopOrder } from './shop-order.ts'
import { surveyAnswer } from './survey-answer.ts'
import { troubleshooting } from './troubleshooting.ts'

/** In the order in which they are shown. */
export const GALLERY: readonly FlowTemplate[] = [
  shopOrder,
  monitoringAlert,
  surveyAnswer,
  formPost,
  repositoryEvent,
  parcel,
  customerOrders,
  troubleshooting
]
