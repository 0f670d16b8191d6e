import { alertsWithLimit } from './alerts-with-limit.ts'
import { cartTotal } from './cart-total.ts'
import { contactForm } from './contact-form.ts'
import { customerOrders } from './customer-orders.ts'
import { customerWebhook } from './customer-webhook.ts'
import { deliveryList } from './delivery-list.ts'
import { failedRuns } from './failed-runs.ts'
import type { FlowTemplate } from './flow-template.ts'
import { formPost } from './form-post.ts'
import { modelChat } from './model-chat.ts'
import { monitoringAlert } from './monitoring-alert.ts'
import { newPosts } from './new-posts.ts'
import { nightlyReport } from './nightly-report.ts'
import { orderByMail } from './order-by-mail.ts'
import { orderConfirmation } from './order-confirmation.ts'
import { orderLines } from './order-lines.ts'
import { pageHeadlines } from './page-headlines.ts'
import { parcel } from './parcel.ts'
import { priceList } from './price-list.ts'
import { raffleTickets } from './raffle-tickets.ts'
import { refundApproval } from './refund-approval.ts'
import { repositoryEvent } from './repository-event.ts'
import { savingsPlan } from './savings-plan.ts'
import { shopOrder } from './shop-order.ts'
import { surveyAnswer } from './survey-answer.ts'
import { ticketTriage } from './ticket-triage.ts'
import { totalsByCustomer } from './totals-by-customer.ts'
import { troubleshooting } from './troubleshooting.ts'

/** In the order in which they are shown. */
export const GALLERY: readonly FlowTemplate[] = [
  shopOrder,
  monitoringAlert,
  surveyAnswer,
  contactForm,
  formPost,
  repositoryEvent,
  priceList,
  parcel,
  orderConfirmation,
  customerWebhook,
  customerOrders,
  orderLines,
  savingsPlan,
  cartTotal,
  refundApproval,
  nightlyReport,
  newPosts,
  totalsByCustomer,
  deliveryList,
  pageHeadlines,
  orderByMail,
  alertsWithLimit,
  raffleTickets,
  failedRuns,
  ticketTriage,
  modelChat,
  troubleshooting
]
