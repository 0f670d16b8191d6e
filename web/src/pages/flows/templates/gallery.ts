import { alertsWithLimit } from './alerts-with-limit.ts'
import { answersFromNotes } from './answers-from-notes.ts'
import { cartTotal } from './cart-total.ts'
import { contactForm } from './contact-form.ts'
import { customerOrders } from './customer-orders.ts'
import { customerWebhook } from './customer-webhook.ts'
import { deliveryList } from './delivery-list.ts'
import { exportReady } from './export-ready.ts'
import { failedRuns } from './failed-runs.ts'
import type { FlowTemplate } from './flow-template.ts'
import { formPost } from './form-post.ts'
import { invoiceForm } from './invoice-form.ts'
import { modelChat } from './model-chat.ts'
import { monitoringAlert } from './monitoring-alert.ts'
import { newPosts } from './new-posts.ts'
import { nightlyReport } from './nightly-report.ts'
import { orderAgent } from './order-agent.ts'
import { orderApproval } from './order-approval.ts'
import { orderByMail } from './order-by-mail.ts'
import { orderConfirmation } from './order-confirmation.ts'
import { orderCopy } from './order-copy.ts'
import { orderLines } from './order-lines.ts'
import { orderLookup } from './order-lookup.ts'
import { pageHeadlines } from './page-headlines.ts'
import { parcel } from './parcel.ts'
import { paymentAlert } from './payment-alert.ts'
import { priceList } from './price-list.ts'
import { raffleTickets } from './raffle-tickets.ts'
import { refundApproval } from './refund-approval.ts'
import { repositoryEvent } from './repository-event.ts'
import { savingsPlan } from './savings-plan.ts'
import { shopOrder } from './shop-order.ts'
import { stockList } from './stock-list.ts'
import { surveyAnswer } from './survey-answer.ts'
import { telegramBot } from './telegram-bot.ts'
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
  paymentAlert,
  priceList,
  orderLookup,
  parcel,
  exportReady,
  orderConfirmation,
  orderApproval,
  customerWebhook,
  customerOrders,
  orderLines,
  savingsPlan,
  cartTotal,
  refundApproval,
  invoiceForm,
  nightlyReport,
  orderCopy,
  stockList,
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
  telegramBot,
  answersFromNotes,
  orderAgent,
  troubleshooting
]
