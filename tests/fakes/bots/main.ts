/**
 * All the services that bots come from, on one port: for the demo. Prints one line of JSON: where each is and the keys
 * that it takes. Ends with whoever started it.
 */
import { fakeAzureSpeech } from './azure-speech.ts'
import { fakeAsaas, fakeIxc, fakeMkAuth } from './billing.ts'
import { fakeDialogflow } from './dialogflow.ts'
import { fakeOpenAi } from './openai.ts'
import { serveFakes } from './serve.ts'
import { fakeTypebot } from './typebot.ts'
import { fakeWebhook } from './webhook.ts'

const openai = fakeOpenAi()
const azure = fakeAzureSpeech()
const webhook = fakeWebhook()
const dialogflow = await fakeDialogflow()
const asaas = fakeAsaas()
const ixc = fakeIxc()
const mkauth = fakeMkAuth()
const { urls } = serveFakes(
  { openai, azure, typebot: fakeTypebot(), webhook, dialogflow, asaas, ixc, mkauth },
  Number(process.env.FAKE_PORT ?? 0),
)
const keys = {
  openai: openai.key,
  azure: azure.key,
  webhook: webhook.secret,
  dialogflow: dialogflow.account,
  asaas: asaas.key,
  ixc: ixc.token,
  mkauth: { clientId: mkauth.clientId, clientSecret: mkauth.clientSecret },
}
process.stdout.write(`${JSON.stringify({ urls, keys })}\n`)
