import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ImageUp, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { OUR_NAME, PRODUCT_NAME_LENGTH, readProductName } from '../../schema/companies/product-name.ts'
import { brandPlaces } from '../../schema/companies/branding.table.ts'
import type { BrandPlace } from '../../schema/companies/branding.table.ts'
import { api, ApiError } from '../session/api.ts'
import { filled } from '../session/own-file.ts'
import { refreshBranding, useBrandPicture, useProductName } from '../session/branding.ts'
import { useConnectionState } from '../session/connection-state.ts'
import { toastError } from '../session/failure.tsx'
import { NeedsNetwork } from '../kit/form.tsx'
import { Button } from '../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { cn } from '../ui/cn.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { toast } from '../ui/toaster.tsx'
import { saveSetting } from './settings.queries.ts'
import { useSettingWords } from './settings.words.ts'

/** The operator's name of the product and pictures, in place of ours. */
export function BrandingSettings() {
  const offline = useConnectionState() === 'offline'
  const product = useProductName()
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      {offline && <NeedsNetwork />}
      <ProductName key={product} product={product} disabled={offline} />
      <Pictures disabled={offline} />
    </div>
  )
}

function ProductName({ product, disabled }: { product: string; disabled: boolean }) {
  const { t } = useLingui()
  const { label, hint } = useSettingWords().productName
  const set = product === OUR_NAME ? '' : product
  const [typed, setTyped] = useState(set)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState(false)
  const name = readProductName(typed)
  const save = async () => {
    setRefused(name === undefined)
    if (name === undefined || busy) return
    setBusy(true)
    try {
      await saveSetting('productName', name)
      await refreshBranding()
      toast.success(t`Operação atualizada com sucesso.`)
    } catch (error) {
      toastError(error)
    }
    setBusy(false)
  }
  return (
    <Card>
      <CardBody className="pt-4">
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <Field
            label={label}
            hint={hint}
            error={
              refused &&
              name === undefined && (
                <Plural
                  value={PRODUCT_NAME_LENGTH}
                  one="Até # letra, sem sinais invisíveis"
                  other="Até # letras, sem sinais invisíveis"
                />
              )
            }
          >
            <div className="flex gap-2">
              <Input
                value={typed}
                placeholder={OUR_NAME}
                autoComplete="off"
                disabled={disabled}
                onChange={(event) => setTyped(event.target.value)}
              />
              <Button type="submit" busy={busy} disabled={disabled || name === set}>
                <Trans>Salvar</Trans>
              </Button>
            </div>
          </Field>
        </form>
      </CardBody>
    </Card>
  )
}

function Pictures({ disabled }: { disabled: boolean }) {
  const { t } = useLingui()
  const words: Record<BrandPlace, { label: string; hint: string }> = {
    login: { label: t`Login`, hint: t`Acima do formulário de entrada` },
    signup: { label: t`Cadastro`, hint: t`Acima do cadastro de empresas` },
    interno: { label: t`Interno`, hint: t`No alto do menu, depois de entrar` },
    favicon: { label: t`Favicon`, hint: t`Na aba do navegador` },
    'favicon-256x256': { label: t`Ícone do aplicativo`, hint: t`256 × 256 pixels, ao instalar` },
    'apple-touch-icon': { label: t`Ícone no iPhone`, hint: t`180 × 180 pixels, sem transparência` },
  }
  return (
    // A picture may be dropped on its place; beside one, nobody knows where it belongs.
    <Card
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        toast.error(t`Escolha um destino!`)
      }}
    >
      <CardHeader
        title={<Trans>Logo</Trans>}
        description={<Trans>PNG, ICO ou SVG de até 300 kB. Sem imagem própria, aparece a padrão.</Trans>}
      />
      <CardBody className="grid gap-3 sm:grid-cols-2">
        {brandPlaces.map((place) => (
          <Place key={place} place={place} {...words[place]} disabled={disabled} />
        ))}
      </CardBody>
    </Card>
  )
}

function Place({
  place,
  label,
  hint,
  disabled,
}: {
  place: BrandPlace
  label: string
  hint: string
  disabled: boolean
}) {
  const { t } = useLingui()
  const picture = useBrandPicture(place)
  const picker = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [over, setOver] = useState(false)
  const change = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true)
    try {
      await work()
      await refreshBranding()
      toast.success(done)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'ERR_FILE_TYPE')
        toast.error(t`Use somente arquivos em formato PNG, ICO ou SVG!`)
      else if (error instanceof ApiError && error.code === 'ERR_FILE_REQUIRED') toast.error(t`Escolha um arquivo!`)
      else toastError(error)
    }
    setBusy(false)
  }
  const send = (file: File) =>
    change(() => api.post('/settings/media-upload', filled({ file }), { query: { ref: place } }), t`Arquivo anexado`)
  return (
    <section
      aria-label={label}
      className={cn('flex items-center gap-3 rounded-lg border p-3', over && 'border-primary bg-primary-soft')}
      onDragOver={() => setOver(!disabled)}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        event.stopPropagation()
        setOver(false)
        if (disabled || busy) return
        const file = event.dataTransfer.files[0]
        if (file) void send(file)
        else toast.error(t`Escolha um arquivo!`)
      }}
    >
      <div className="flex size-14 shrink-0 items-center justify-center overflow-hidden rounded-md bg-muted p-1">
        {picture ? (
          <img src={picture} alt={t`Imagem atual`} className="max-h-full max-w-full object-contain" />
        ) : (
          <ImageUp aria-hidden="true" className="size-5 text-muted-foreground" />
        )}
      </div>
      <div className="min-w-0 flex-1">
        <p className="text-sm font-medium">{label}</p>
        <p className="text-xs text-muted-foreground">{hint}</p>
      </div>
      <Button
        variant="outline"
        size="sm"
        busy={busy}
        disabled={disabled}
        aria-label={t`Escolher a imagem: ${label}`}
        onClick={() => picker.current?.click()}
      >
        <Trans>Escolher</Trans>
      </Button>
      {picture && (
        <Button
          variant="destructive-ghost"
          size="icon-sm"
          disabled={disabled || busy}
          aria-label={t`Retirar a imagem: ${label}`}
          onClick={() =>
            void change(() => api.delete('/settings/media-upload', { query: { ref: place } }), t`Imagem retirada`)
          }
        >
          <Trash2 />
        </Button>
      )}
      <input
        ref={picker}
        type="file"
        hidden
        accept=".png,.ico,.svg,image/png,image/x-icon,image/svg+xml"
        data-testid={`brand-${place}`}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) void send(file)
        }}
      />
    </section>
  )
}
