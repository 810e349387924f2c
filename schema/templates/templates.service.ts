import type { TemplateParts } from './templates.parts.ts'

/** A template as the service has it. */
export interface ServiceTemplate {
  metaId: string
  name: string
  language: string
  category: string
  status: string
  quality: string | null
  reason: string | null
  parts: TemplateParts
  isStrange: boolean
}

/** A template that the service is asked to make. */
export interface AskedTemplate {
  name: string
  language: string
  category: string
  parts: TemplateParts
  /** Of the example of its header, where that is a file. */
  handle?: string | undefined
}

/** What the webhook says besides that something has changed: only this is not told by the template itself. */
export interface TemplateNotice {
  metaId: string
  /** The category that it will have; null takes that back. */
  nextCategory?: string | null
  /** What is advised where it was refused. */
  advice?: string
}

/** A file of ours that is shown to whoever looks at a template. */
export interface SampleFile {
  /** In the media store. */
  mediaPath: string
  name: string
  mimetype: string
  /** Bytes. */
  size: number
}

/** The service that keeps the templates of connections. Asked of any process: no link is needed. */
export interface TemplateService {
  /** All of the connection's account, as the service has them now. @throws ERR_CLOUD_UNSET, ERR_CLOUD_REFUSED */
  templates(whatsappId: number): Promise<ServiceTemplate[]>
  /** @throws ERR_TEMPLATE_REFUSED with what the service says of which `field` */
  makeTemplate(
    whatsappId: number,
    template: AskedTemplate,
  ): Promise<{ metaId: string; status: string; category: string }>
  /**
   * What it says becomes something else, which is looked at anew.
   * @throws ERR_TEMPLATE_REFUSED
   */
  changeTemplate(whatsappId: number, metaId: string, template: AskedTemplate): Promise<void>
  /** Brings an example of a header's file to the service. @returns its handle there @throws ERR_CLOUD_REFUSED */
  sampleFile(whatsappId: number, file: SampleFile): Promise<string>
  /** Is gone for good, and its name is barred for 30 days; what is gone already is no error. @throws ERR_CLOUD_REFUSED */
  dropTemplate(whatsappId: number, template: { metaId: string; name: string }): Promise<void>
}

/** Which field of a template a refusal is about, by the service's second code. */
export type TemplateField = 'name' | 'language' | 'category' | 'header' | 'body' | 'footer' | 'buttons'

/** From Meta's page on the errors of templates; never tried against the real service. */
const fields: Record<number, TemplateField> = {
  2388019: 'name',
  2388023: 'name',
  2388024: 'name',
  2388025: 'name',
  2388040: 'body',
  2388043: 'body',
  2388047: 'header',
  2388072: 'body',
  2388073: 'footer',
  2388293: 'body',
  2388299: 'body',
}
export const refusedField = (subcode: number | undefined): TemplateField | null =>
  (subcode === undefined ? undefined : fields[subcode]) ?? null
