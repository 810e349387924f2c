import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { Suspense, useMemo } from 'react'
import type { ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { onDemand } from '../base/late.tsx'
import { type FlowNode, newRule } from '../../schema/flows/flows.graph.ts'
import {
  answerKinds,
  type BlockElement,
  type FlowRule,
  isFlowNode,
  MOST_INTERVAL_SECONDS,
  type NodeData,
  type NodeType,
  operators,
  PERCENT_STEP,
} from '../../schema/flows/flows.inputs.ts'
import type { ScheduleEntry } from '../../schema/hours/hours.open.ts'
import { useConnectionState } from '../session/connection-state.ts'
import { useQueues, useTags, useUsers } from '../replica/directory.ts'
import { bestTemplate } from '../../schema/templates/templates.state.ts'
import { fileKindOf } from '../../schema/templates/templates.parts.ts'
import { useSampleFill } from '../placeholders/placeholders.values.ts'
import { useFieldVariables, useVariableNames } from '../placeholders/placeholders.text.tsx'
import { TemplateChoice } from '../templates/templates.choice.tsx'
import { isSendable, useAllTemplates } from '../templates/templates.rows.ts'
import { useTypebots } from '../integrations/integrations.queries.ts'
import { usePrompts } from '../prompts/prompts.queries.ts'
import { HoursEditor } from '../hours/hours.editor.tsx'
import { fullWeek } from '../hours/hours.rules.ts'
import { Button } from '../ui/button.tsx'
import { Combobox } from '../ui/combobox.tsx'
import { Field } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Input } from '../ui/input.tsx'
import { Select } from '../ui/select.tsx'
import { Slider } from '../ui/slider.tsx'
import { Switch } from '../ui/switch.tsx'
import { useEditor } from './flow.editor.tsx'
import { FileField, LineField, ListField, NumberField, SecretsContext, TextField } from './flow.fields.tsx'
import { merged } from '../../schema/flows/flows.merge.ts'
import { problemText } from './flow.problem-words.ts'
import { answerWords, operatorWords } from './flow.words.ts'
import { useKnownToDraft } from './flows.queries.ts'

/** Brings the engine along, which nobody else here needs. */
const TryCall = onDemand(() => import('./flow.try-call.tsx'))

type DataOf<T extends NodeType> = NodeData[T]
/** What the fields of a type are given: its data, and how to change some of it. */
interface FormOf<T extends NodeType> {
  data: DataOf<T>
  set: (change: Partial<DataOf<T>>) => void
  node: Extract<FlowNode, { type: T }>
}

/** The fields of a node, as they are now: what is typed is kept by itself. */
export function NodeFields({ node }: { node: FlowNode }) {
  const { i18n } = useLingui()
  const { draft, problems, variables } = useEditor()
  const ownFields = useFieldVariables()
  const change = (next: FlowNode, key: string | null) => {
    // What a draft may not hold is not taken: a letter beyond the longest text, a wrong sign in a name.
    if (isFlowNode(next)) draft.edit([next], key)
  }
  const set = (data: object) =>
    change({ ...node, data: { ...node.data, ...data } } as FlowNode, `${node.id} ${Object.keys(data).join(' ')}`)
  const Form = forms[node.type] as unknown as (props: FormOf<never>) => ReactNode
  const own = problems.list.filter(({ nodeId }) => nodeId === node.id)
  return (
    <div className="flex flex-col gap-4">
      {own.length > 0 && (
        <ul className="flex flex-col gap-1 text-xs">
          {own.map((problem, index) => (
            <li
              key={index}
              className={
                problem.severity === 'error'
                  ? 'rounded-md bg-destructive-soft px-2.5 py-1.5 text-destructive-soft-foreground'
                  : 'rounded-md bg-warning-soft px-2.5 py-1.5 text-warning-soft-foreground'
              }
            >
              {problemText(problem, i18n, node)}
              {problem.code === 'couldBeOne' && (
                <Button
                  variant="outline"
                  size="sm"
                  className="mt-1.5 flex"
                  onClick={() => draft.edit(merged(draft.view().graph, { nodeId: node.id, part: problem.part }))}
                >
                  <Trans>Juntar com a seguinte</Trans>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <datalist id="flow-variables">
        {[...variables, 'lastText'].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
        {ownFields.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </datalist>
      <datalist id="flow-contact-fields">
        {['name', 'number', 'email'].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
      <Form key={node.id} data={node.data as never} set={set} node={node as never} />
    </div>
  )
}

const forms: { [T in NodeType]: (props: FormOf<T>) => ReactNode } = {
  start: () => (
    <p className="text-sm text-muted-foreground">
      <Trans>Todo contato que entra no fluxo começa aqui.</Trans>
    </p>
  ),
  message: ({ data, set }) => (
    <TextField label={<Trans>Mensagem</Trans>} required value={data.text} onChange={(text) => set({ text })} />
  ),
  note: ({ data, set }) => (
    <TextField
      label={<Trans>Observação</Trans>}
      hint={<Trans>Fica no atendimento, para os colegas. O contato não a vê.</Trans>}
      required
      value={data.text}
      onChange={(text) => set({ text })}
    />
  ),
  comment: ({ data, set }) => (
    <TextField
      label={<Trans>Lembrete</Trans>}
      hint={<Trans>Só aparece aqui no desenho.</Trans>}
      rows={5}
      value={data.text}
      onChange={(text) => set({ text })}
    />
  ),
  interval: ({ data, set }) => <IntervalFields seconds={data.seconds} onChange={(seconds) => set({ seconds })} />,
  condition: ConditionFields,
  menu: MenuFields,
  img: ({ data, set }) => <PictureFields kind="img" data={data} set={set} />,
  video: ({ data, set }) => <PictureFields kind="video" data={data} set={set} />,
  audio: AudioFields,
  document: ({ data, set }) => <PictureFields kind="document" data={data} set={set} />,
  file: AddressFields,
  template: TemplateFields,
  randomizer: RandomizerFields,
  singleBlock: BlockFields,
  ticket: TicketFields,
  question: QuestionFields,
  hours: HoursFields,
  tag: TagFields,
  field: ContactFields,
  set: VariableFields,
  agent: AgentFields,
  http: HttpFields,
  ai: AiFields,
  typebot: TypebotFields,
  flow: CallFields,
  end: EndFields,
  unknown: ({ data }) => (
    <p className="text-sm text-muted-foreground">
      <Trans>
        Este bloco ({data.type}) veio de outro programa e não funciona aqui. Ele é guardado inteiro e volta como veio
        quando o fluxo é exportado.
      </Trans>
    </p>
  ),
}

function IntervalFields({ seconds, onChange }: { seconds: number; onChange: (seconds: number) => void }) {
  const { t } = useLingui()
  return (
    <NumberField
      label={<Trans>Tempo de espera</Trans>}
      after={t`segundos`}
      value={seconds}
      onChange={onChange}
      error={
        seconds === 0
          ? t`Adicione o valor do intervalo`
          : seconds > MOST_INTERVAL_SECONDS
            ? t`Tempo máximo atingido: 120 segundos`
            : undefined
      }
      hint={<Trans>De 1 a 120 segundos.</Trans>}
    />
  )
}

function MenuFields({ data, set }: FormOf<'menu'>) {
  const { t } = useLingui()
  const { options } = data
  const change = (index: number, label: string) =>
    set({ options: options.map((option, at) => (at === index ? { ...option, label } : option)) })
  return (
    <>
      <TextField
        label={<Trans>Mensagem</Trans>}
        required
        value={data.message}
        onChange={(message) => set({ message })}
      />
      <div className="flex flex-col gap-2">
        <p className="text-sm font-medium">
          <Trans>Opções</Trans>
        </p>
        <ListField
          items={options}
          render={(option, index) => (
            <Input
              aria-label={t`Opção ${option.number}`}
              before={<span className="text-xs">{option.number}</span>}
              value={option.label}
              onChange={(event) => change(index, event.target.value)}
            />
          )}
          // The numbers stay what contacts know, so only the last one goes.
          mayRemove={(index) => index === options.length - 1}
          removeLabel={(index) => t`Remover a opção ${options[index]!.number}`}
          onRemove={(index) => set({ options: options.filter((_, at) => at !== index) })}
          onAdd={() =>
            set({
              options: [...options, { number: Math.max(0, ...options.map(({ number }) => number)) + 1, label: '' }],
            })
          }
          addLabel={<Trans>Adicionar opção</Trans>}
        />
      </div>
      <TextField
        label={<Trans>Quando a resposta não é uma opção</Trans>}
        hint={<Trans>Depois de três vezes, segue a saída “Resposta inválida”, ou um atendente continua.</Trans>}
        rows={2}
        value={data.invalidMessage}
        onChange={(invalidMessage) => set({ invalidMessage })}
      />
      <SilenceFields data={data} set={set} />
    </>
  )
}

/** How long an answer is awaited. */
function SilenceFields({
  data,
  set,
}: {
  data: { timeoutSeconds: number; timeoutMessage: string }
  set: (change: { timeoutSeconds?: number; timeoutMessage?: string }) => void
}) {
  const { t } = useLingui()
  return (
    <>
      <NumberField
        label={<Trans>Esperar resposta por</Trans>}
        after={t`minutos`}
        hint={<Trans>0: sem limite. Com um limite, o bloco ganha a saída “Sem resposta”.</Trans>}
        value={Math.round(data.timeoutSeconds / 60)}
        onChange={(minutes) => set({ timeoutSeconds: minutes * 60 })}
      />
      {data.timeoutSeconds > 0 && (
        <TextField
          label={<Trans>O que dizer quando o tempo acaba</Trans>}
          rows={2}
          value={data.timeoutMessage}
          onChange={(timeoutMessage) => set({ timeoutMessage })}
        />
      )}
    </>
  )
}

function QuestionFields({ data, set }: FormOf<'question'>) {
  const { t, i18n } = useLingui()
  return (
    <>
      <TextField
        label={<Trans>Pergunta</Trans>}
        required
        value={data.message}
        onChange={(message) => set({ message })}
      />
      <Field label={<Trans>Tipo de resposta</Trans>}>
        <Select
          value={data.kind}
          onChange={(kind) => set({ kind })}
          options={answerKinds.map((kind) => ({ value: kind, label: i18n._(answerWords[kind]) }))}
        />
      </Field>
      <LineField
        label={<Trans>Guardar em</Trans>}
        hint={<Trans>Um nome, sem espaços. Depois use-o em textos e condições.</Trans>}
        placeholder={t`bairro`}
        value={data.saveAs}
        onChange={(saveAs) => set({ saveAs })}
      />
      {data.kind !== 'any' && (
        <>
          <NumberField
            label={<Trans>Tentativas</Trans>}
            value={data.tries}
            onChange={(tries) => set({ tries })}
            hint={<Trans>De 1 a 10. Depois, segue a saída “Resposta inválida”.</Trans>}
          />
          <TextField
            label={<Trans>Quando a resposta não serve</Trans>}
            rows={2}
            value={data.invalidMessage}
            onChange={(invalidMessage) => set({ invalidMessage })}
          />
        </>
      )}
      <NumberField
        label={<Trans>Juntar mensagens por</Trans>}
        after={t`segundos`}
        hint={<Trans>Quem escreve em pedaços é entendido de uma vez. 0: não junta.</Trans>}
        value={data.gatherSeconds}
        onChange={(gatherSeconds) => set({ gatherSeconds })}
      />
      <SilenceFields data={data} set={set} />
    </>
  )
}

function PictureFields({
  kind,
  data,
  set,
}: {
  kind: 'img' | 'video' | 'document'
  data: DataOf<'img'>
  set: (change: Partial<DataOf<'img'>>) => void
}) {
  return (
    <>
      <FileField kind={kind} file={data.file} name={data.name} onChange={set} />
      <TextField
        label={<Trans>Legenda (opcional)</Trans>}
        rows={2}
        value={data.caption}
        onChange={(caption) => set({ caption })}
      />
    </>
  )
}

function AddressFields({ data, set }: FormOf<'file'>) {
  const { flow } = useEditor()
  const { data: named } = useKnownToDraft(flow.id)
  return (
    <>
      <SecretsContext value={named?.secrets ?? none}>
        <LineField
          label={<Trans>Endereço do arquivo</Trans>}
          hint={
            <Trans>
              Um endereço da internet, ou a variável que o guarda, como a do boleto de uma chamada externa. O arquivo
              vai como documento, imagem, áudio ou vídeo, pelo que ele é.
            </Trans>
          }
          required
          filled
          placeholder="https://"
          value={data.url}
          onChange={(url) => set({ url })}
        />
      </SecretsContext>
      <TextField
        label={<Trans>Legenda (opcional)</Trans>}
        rows={2}
        value={data.caption}
        onChange={(caption) => set({ caption })}
      />
      <p className="text-xs text-muted-foreground">
        <Trans>Se o arquivo não puder ser buscado, o fluxo segue pela saída “Falhou”.</Trans>
      </p>
    </>
  )
}

function AudioFields({ data, set }: FormOf<'audio'>) {
  return (
    <>
      <FileField kind="audio" file={data.file} name={data.name} onChange={set} />
      <RecordSwitch record={data.record} onChange={(record) => set({ record })} />
    </>
  )
}

function RecordSwitch({ record, onChange }: { record: boolean; onChange: (record: boolean) => void }) {
  return (
    <Field inline label={<Trans>Enviar como áudio gravado na hora</Trans>}>
      <Switch checked={record} onCheckedChange={onChange} />
    </Field>
  )
}

function RandomizerFields({ data, set }: FormOf<'randomizer'>) {
  const { t } = useLingui()
  const rest = 100 - data.percent
  return (
    <Field
      label={<Trans>Sorteio</Trans>}
      hint={
        <Trans>
          {data.percent}% seguem por “Sorteado” e {rest}% por “Os outros”.
        </Trans>
      }
    >
      <Slider
        aria-label={t`Porcentagem`}
        min={0}
        max={100}
        step={PERCENT_STEP}
        value={[data.percent]}
        onValueChange={([percent]) => set({ percent: percent ?? 0 })}
      />
    </Field>
  )
}

function BlockFields({ data, set }: FormOf<'singleBlock'>) {
  const { t } = useLingui()
  const { elements } = data
  const put = (index: number, element: BlockElement) =>
    set({ elements: elements.map((old, at) => (at === index ? element : old)) })
  const add = (element: Record<string, unknown>) =>
    set({ elements: [...elements, { id: crypto.randomUUID().slice(0, 8), ...element } as BlockElement] })
  const move = (index: number, by: number) => {
    const next = [...elements]
    const [moved] = next.splice(index, 1)
    next.splice(index + by, 0, moved!)
    set({ elements: next })
  }
  const file = { file: '', name: '' }
  return (
    <>
      <ListField
        items={elements}
        removeLabel={(index) => t`Remover o item ${index + 1}`}
        onRemove={(index) => set({ elements: elements.filter((_, at) => at !== index) })}
        render={(element, index) => (
          <div className="flex flex-col gap-2 rounded-lg border p-3">
            <div className="-mt-1 flex items-center justify-between text-xs text-muted-foreground">
              <span>{index + 1}</span>
              <span className="flex">
                <IconButton label={t`Subir`} disabled={index === 0} onClick={() => move(index, -1)}>
                  <ArrowUp />
                </IconButton>
                <IconButton label={t`Descer`} disabled={index === elements.length - 1} onClick={() => move(index, 1)}>
                  <ArrowDown />
                </IconButton>
              </span>
            </div>
            <ElementFields element={element} onChange={(next) => put(index, next)} />
          </div>
        )}
      />
      <div className="flex flex-wrap gap-1.5">
        <Button variant="outline" size="sm" onClick={() => add({ kind: 'message', text: '' })}>
          <Trans>+ Texto</Trans>
        </Button>
        <Button variant="outline" size="sm" onClick={() => add({ kind: 'img', ...file, caption: '' })}>
          <Trans>+ Imagem</Trans>
        </Button>
        <Button variant="outline" size="sm" onClick={() => add({ kind: 'audio', ...file, record: true })}>
          <Trans>+ Áudio</Trans>
        </Button>
        <Button variant="outline" size="sm" onClick={() => add({ kind: 'video', ...file, caption: '' })}>
          <Trans>+ Vídeo</Trans>
        </Button>
        <Button variant="outline" size="sm" onClick={() => add({ kind: 'interval', seconds: 2 })}>
          <Trans>+ Intervalo</Trans>
        </Button>
      </div>
    </>
  )
}

function ElementFields({ element, onChange }: { element: BlockElement; onChange: (next: BlockElement) => void }) {
  if (element.kind === 'message')
    return (
      <TextField
        label={<Trans>Texto</Trans>}
        value={element.text}
        onChange={(text) => onChange({ ...element, text })}
      />
    )
  if (element.kind === 'interval')
    return <IntervalFields seconds={element.seconds} onChange={(seconds) => onChange({ ...element, seconds })} />
  return (
    <>
      <FileField
        isPart
        kind={element.kind}
        file={element.file}
        name={element.name}
        onChange={(stored) => onChange({ ...element, ...stored })}
      />
      {element.kind === 'audio' ? (
        <RecordSwitch record={element.record} onChange={(record) => onChange({ ...element, record })} />
      ) : (
        <TextField
          label={<Trans>Legenda (opcional)</Trans>}
          rows={1}
          value={element.caption}
          onChange={(caption) => onChange({ ...element, caption })}
        />
      )}
    </>
  )
}

/** One of the company's rows, by name. */
function PickField({
  label,
  value,
  onChange,
  rows,
  error,
  required = true,
}: {
  label: ReactNode
  value: number | null
  onChange: (id: number | null) => void
  rows: readonly { id: number; name: string }[]
  error?: ReactNode
  required?: boolean
}) {
  const options = useMemo(() => rows.map(({ id, name }) => ({ id: String(id), label: name })), [rows])
  return (
    <Field label={label} required={required} error={error}>
      <Combobox
        value={value === null ? null : String(value)}
        onChange={(id) => onChange(id === null ? null : Number(id))}
        options={options}
        clearable={!required}
      />
    </Field>
  )
}

const sayBefore = (data: { message: string }, set: (change: { message: string }) => void) => (
  <TextField
    label={<Trans>Dizer antes (opcional)</Trans>}
    rows={2}
    value={data.message}
    onChange={(message) => set({ message })}
  />
)

function TicketFields({ data, set }: FormOf<'ticket'>) {
  const { t } = useLingui()
  const { list } = useQueues()
  return (
    <>
      <PickField
        label={<Trans>Fila</Trans>}
        value={data.queueId}
        onChange={(queueId) => set({ queueId })}
        rows={list}
        error={data.queueId === null ? t`Adicione uma fila` : undefined}
      />
      {sayBefore(data, set)}
    </>
  )
}

function AgentFields({ data, set }: FormOf<'agent'>) {
  const { list } = useUsers()
  return (
    <>
      <PickField
        label={<Trans>Atendente</Trans>}
        value={data.userId}
        onChange={(userId) => set({ userId })}
        rows={list}
      />
      {sayBefore(data, set)}
    </>
  )
}

function TagFields({ data, set }: FormOf<'tag'>) {
  const { t } = useLingui()
  const { list } = useTags()
  return (
    <>
      <Field label={<Trans>O que fazer</Trans>}>
        <Select
          value={data.action}
          onChange={(action) => set({ action })}
          options={[
            { value: 'add', label: t`Pôr a etiqueta` },
            { value: 'remove', label: t`Tirar a etiqueta` },
          ]}
        />
      </Field>
      <PickField label={<Trans>Etiqueta</Trans>} value={data.tagId} onChange={(tagId) => set({ tagId })} rows={list} />
    </>
  )
}

function ContactFields({ data, set }: FormOf<'field'>) {
  const { t } = useLingui()
  return (
    <>
      <Field label={<Trans>Campo do contato</Trans>}>
        <Select
          value={data.field}
          onChange={(field) => set({ field })}
          options={[
            { value: 'name', label: t`Nome` },
            { value: 'email', label: t`E-mail` },
            { value: 'extra', label: t`Outro campo` },
          ]}
        />
      </Field>
      {data.field === 'extra' && (
        <LineField
          label={<Trans>Nome do campo</Trans>}
          required
          value={data.extraName}
          onChange={(extraName) => set({ extraName })}
        />
      )}
      <TextField
        label={<Trans>Valor</Trans>}
        required
        rows={1}
        value={data.value}
        onChange={(value) => set({ value })}
      />
    </>
  )
}

function VariableFields({ data, set }: FormOf<'set'>) {
  const { t } = useLingui()
  return (
    <>
      <LineField
        label={<Trans>Variável</Trans>}
        hint={<Trans>Um nome, sem espaços. Depois use-o em textos e condições.</Trans>}
        placeholder={t`bairro`}
        required
        value={data.saveAs}
        onChange={(saveAs) => set({ saveAs })}
      />
      <TextField
        label={<Trans>Valor</Trans>}
        hint={<Trans>Palavras e outras variáveis. Vazio: a variável é esvaziada.</Trans>}
        rows={2}
        value={data.value}
        onChange={(value) => set({ value })}
      />
    </>
  )
}

function CallFields({ data, set, node }: FormOf<'flow'>) {
  const { flows, flow } = useEditor()
  const rows = flows.filter(
    ({ id, active, versionId }) => id === data.flowId || (active && versionId !== null && id !== flow.id),
  )
  return (
    <>
      <PickField label={<Trans>Fluxo</Trans>} value={data.flowId} onChange={(flowId) => set({ flowId })} rows={rows} />
      <p className="text-xs text-muted-foreground">
        {node.exits['a'] ? (
          <Trans>Quando ele terminar, este continua pela saída.</Trans>
        ) : (
          <Trans>Sem saída ligada, este termina com ele.</Trans>
        )}
      </p>
    </>
  )
}

function EndFields({ data, set }: FormOf<'end'>) {
  const { t } = useLingui()
  return (
    <>
      <Field label={<Trans>Depois</Trans>}>
        <Select
          value={data.then}
          onChange={(then) => set({ then })}
          options={[
            { value: 'pending', label: t`O atendimento espera um atendente` },
            { value: 'menu', label: t`Mostrar o menu de filas` },
            { value: 'close', label: t`Encerrar o atendimento` },
          ]}
        />
      </Field>
      {sayBefore(data, set)}
    </>
  )
}

function HoursFields({ data, set }: FormOf<'hours'>) {
  const { t } = useLingui()
  const { list } = useQueues()
  return (
    <>
      <Field label={<Trans>Horário de quem</Trans>}>
        <Select
          value={data.of}
          onChange={(of) => set({ of, ...(of === 'own' && data.schedules.length === 0 && { schedules: fullWeek() }) })}
          options={[
            { value: 'company', label: t`Da empresa` },
            { value: 'queue', label: t`De uma fila` },
            { value: 'own', label: t`Próprio deste bloco` },
          ]}
        />
      </Field>
      {data.of === 'queue' && (
        <PickField
          label={<Trans>Fila</Trans>}
          value={data.queueId}
          onChange={(queueId) => set({ queueId })}
          rows={list}
        />
      )}
      {data.of === 'own' && <OwnHours schedules={data.schedules} onChange={(schedules) => set({ schedules })} />}
    </>
  )
}

/** Half a time is no time: what is typed is kept here until it is one. */
function OwnHours({
  schedules,
  onChange,
}: {
  schedules: ScheduleEntry[]
  onChange: (schedules: ScheduleEntry[]) => void
}) {
  const { control } = useForm({ defaultValues: { schedules: fullWeek(schedules) } })
  const week = useWatch({ control, name: 'schedules' })
  return (
    <div onBlur={() => onChange(week)}>
      <HoursEditor control={control} name="schedules" />
    </div>
  )
}

function HttpFields({ data, set, node }: FormOf<'http'>) {
  const { t } = useLingui()
  const { flow } = useEditor()
  const { data: named } = useKnownToDraft(flow.id)
  const { headers, saves } = data
  const keep = (index: number, change: Partial<(typeof saves)[number]>) =>
    set({ saves: saves.map((old, at) => (at === index ? { ...old, ...change } : old)) })
  return (
    <SecretsContext value={named?.secrets ?? none}>
      <div className="grid grid-cols-[6.5rem_1fr] gap-2">
        <Field label={<Trans>Método</Trans>}>
          <Select
            value={data.method}
            onChange={(method) => set({ method })}
            options={(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((value) => ({ value, label: value }))}
          />
        </Field>
        <LineField
          label={<Trans>Endereço</Trans>}
          required
          filled
          placeholder="https://"
          value={data.url}
          onChange={(url) => set({ url })}
        />
      </div>
      {data.method !== 'GET' && (
        <TextField label={<Trans>Corpo</Trans>} value={data.body} onChange={(body) => set({ body })} />
      )}
      <div className="flex flex-col gap-2">
        <p className="text-sm font-medium">
          <Trans>Cabeçalhos</Trans>
        </p>
        <ListField
          items={headers}
          render={(header, index) => (
            <div className="flex flex-col gap-1.5 rounded-md border p-2.5">
              <LineField
                label={<Trans>Nome</Trans>}
                value={header.name}
                onChange={(name) => set({ headers: headers.map((old, at) => (at === index ? { ...old, name } : old)) })}
              />
              <LineField
                label={<Trans>Valor</Trans>}
                filled
                value={header.value}
                onChange={(value) =>
                  set({ headers: headers.map((old, at) => (at === index ? { ...old, value } : old)) })
                }
              />
            </div>
          )}
          removeLabel={(index) => t`Remover o cabeçalho ${index + 1}`}
          onRemove={(index) => set({ headers: headers.filter((_, at) => at !== index) })}
          onAdd={() => set({ headers: [...headers, { name: '', value: '' }] })}
          addLabel={<Trans>Adicionar cabeçalho</Trans>}
        />
      </div>
      <Suspense fallback={null}>
        <TryCall
          node={node}
          taken={saves.map(({ path }) => path)}
          onPick={(path, saveAs) => set({ saves: [...saves, { path, saveAs, required: true }] })}
        />
      </Suspense>
      <div className="flex flex-col gap-2">
        <p className="text-sm font-medium">
          <Trans>Guardar da resposta</Trans>
        </p>
        <ListField
          items={saves}
          render={(save, index) => (
            <div className="flex flex-col gap-1.5">
              <PairInputs
                names={[t`Caminho, como data.itens[0].nome`, t`Variável`]}
                values={[save.path, save.saveAs]}
                onChange={(path, saveAs) => keep(index, { path, saveAs })}
              />
              <label className="flex items-center gap-2 text-xs text-muted-foreground">
                <Switch checked={save.required === true} onCheckedChange={(required) => keep(index, { required })} />
                <Trans>Sem este valor, seguir por “Falhou”</Trans>
              </label>
            </div>
          )}
          removeLabel={(index) => t`Remover o item ${index + 1}`}
          onRemove={(index) => set({ saves: saves.filter((_, at) => at !== index) })}
          onAdd={() => set({ saves: [...saves, { path: '', saveAs: '', required: true }] })}
          addLabel={<Trans>Guardar um valor</Trans>}
        />
      </div>
      <LineField
        label={<Trans>Guardar o código da resposta em</Trans>}
        value={data.saveStatusAs}
        onChange={(saveStatusAs) => set({ saveStatusAs })}
      />
    </SecretsContext>
  )
}
const none: readonly string[] = []

function PairInputs({
  names,
  values,
  onChange,
}: {
  names: [string, string]
  values: [string, string]
  onChange: (first: string, second: string) => void
}) {
  const [first, second] = values
  return (
    <div className="grid grid-cols-2 gap-1.5">
      <Input
        aria-label={names[0]}
        placeholder={names[0]}
        value={first}
        onChange={(e) => onChange(e.target.value, second)}
      />
      <Input
        aria-label={names[1]}
        placeholder={names[1]}
        value={second}
        onChange={(e) => onChange(first, e.target.value)}
      />
    </div>
  )
}

function AiFields({ data, set }: FormOf<'ai'>) {
  const { t } = useLingui()
  const { data: prompts } = usePrompts()
  return (
    <>
      <NamedField
        label={<Trans>Assistente</Trans>}
        value={data.promptId}
        onChange={(promptId) => set({ promptId })}
        offered={prompts}
        empty={t`Nenhum assistente`}
        whereMade={<Trans>Crie um em Assistentes de IA.</Trans>}
        needsNetwork={<Trans>Para escolher um assistente, é preciso a rede.</Trans>}
      />
      <TextField
        label={<Trans>O que o assistente deve fazer aqui (opcional)</Trans>}
        rows={4}
        value={data.instructions}
        onChange={(instructions) => set({ instructions })}
      />
      <Field inline label={<Trans>Conversar até resolver</Trans>}>
        <Switch checked={data.talk} onCheckedChange={(talk) => set({ talk })} />
      </Field>
      {data.talk && (
        <>
          <NumberField
            label={<Trans>Respostas no máximo</Trans>}
            value={data.turns}
            onChange={(turns) => set({ turns })}
            hint={<Trans>De 1 a 50.</Trans>}
          />
          <NumberField
            label={<Trans>Esperar resposta por</Trans>}
            after={t`minutos`}
            value={Math.round(data.timeoutSeconds / 60)}
            onChange={(minutes) => set({ timeoutSeconds: minutes * 60 })}
          />
        </>
      )}
      <Field inline label={<Trans>O contato vê a resposta</Trans>}>
        <Switch checked={data.say} onCheckedChange={(say) => set({ say })} />
      </Field>
      <LineField
        label={<Trans>Guardar a resposta em</Trans>}
        value={data.saveAs}
        onChange={(saveAs) => set({ saveAs })}
      />
    </>
  )
}

/** One of those that the server offers, by its name. */
function NamedField({
  label,
  value,
  onChange,
  offered,
  empty,
  whereMade,
  needsNetwork,
}: {
  label: ReactNode
  value: number | null
  onChange: (id: number | null) => void
  /** Undefined or null until they are read. */
  offered: readonly { id: number; name: string }[] | null | undefined
  empty: string
  /** Said where there are none. */
  whereMade: ReactNode
  needsNetwork: ReactNode
}) {
  const offline = useConnectionState() === 'offline'
  return (
    <Field
      label={label}
      required
      hint={offered?.length === 0 ? whereMade : !offered && offline ? needsNetwork : undefined}
    >
      <Combobox
        value={value === null ? null : String(value)}
        onChange={(id) => onChange(id === null ? null : Number(id))}
        options={(offered ?? []).map(({ id, name }) => ({ id: String(id), label: name }))}
        disabled={!offered}
        empty={empty}
      />
    </Field>
  )
}

function TemplateFields({ data, set }: FormOf<'template'>) {
  const { t } = useLingui()
  const all = useAllTemplates() ?? []
  const fill = useSampleFill(null)
  const names = useVariableNames()
  const { variables } = useEditor()
  const chosen = bestTemplate(all, data.template, data.language)
  // Each connection has its own: here it is chosen by its name and language.
  const offered = [...new Map(all.map((one) => [`${one.language}/${one.name}`, one])).values()].flatMap(
    ({ name, language }) => bestTemplate(all, name, language) ?? [],
  )
  const kind = chosen ? fileKindOf(chosen.parts) : null
  return (
    <>
      <TemplateChoice
        templates={offered.filter((one) => one === chosen || isSendable(one))}
        chosen={chosen}
        values={data.values}
        onChoose={(next) =>
          set({ template: next?.name ?? '', language: next?.language ?? '', values: {}, file: '', name: '' })
        }
        onValues={(values) => set({ values })}
        shown={fill}
        insertable={{
          label: t`Preenchida no envio`,
          names: [
            ...templateVariables.map((key) => [`{{${key}}}`, names[key]] as const),
            ...variables.map((name) => [`{{${name}}}`, name] as const),
          ],
        }}
      />
      {kind && (
        <FileField
          kind={kind === 'image' ? 'img' : kind}
          file={data.file}
          name={data.name}
          onChange={({ file, name }) => set({ file, name })}
        />
      )}
      <p className="text-sm text-muted-foreground">
        <Trans>
          Um modelo chega também depois de 24 horas sem mensagem do contato. O que não puder ser enviado sai por
          “Falhou”, ou espera um atendente, com o motivo em uma observação.
        </Trans>
      </p>
    </>
  )
}
const templateVariables = ['firstName', 'name', 'ms', 'protocol', 'hora', 'user', 'company'] as const

function TypebotFields({ data, set }: FormOf<'typebot'>) {
  const { t } = useLingui()
  const { data: typebots } = useTypebots()
  return (
    <>
      <NamedField
        label={<Trans>Integração com Typebot</Trans>}
        value={data.integrationId}
        onChange={(integrationId) => set({ integrationId })}
        offered={typebots}
        empty={t`Nenhuma integração`}
        whereMade={<Trans>Crie uma em Integrações, do tipo Typebot.</Trans>}
        needsNetwork={<Trans>Para escolher uma integração, é preciso a rede.</Trans>}
      />
      <p className="text-sm text-muted-foreground">
        <Trans>
          O contato conversa com o Typebot até ele não perguntar mais nada. As variáveis do fluxo vão com a conversa; a
          palavra que encerra, as pausas e a validade são as da integração.
        </Trans>
      </p>
      <NumberField
        label={<Trans>Esperar resposta por</Trans>}
        after={t`minutos`}
        value={Math.round(data.timeoutSeconds / 60)}
        onChange={(minutes) => set({ timeoutSeconds: minutes * 60 })}
      />
    </>
  )
}

// ── conditions ──────────────────────────────────────────────────────────────────────────────────

const codes: { value: string; label: string }[] = [
  { value: '1', label: '=' },
  { value: '2', label: '≥' },
  { value: '3', label: '≤' },
  { value: '4', label: '<' },
  { value: '5', label: '>' },
]

function ConditionFields({ data, set }: FormOf<'condition'>) {
  const { t } = useLingui()
  const contains = { value: '6', label: t`contém` }
  return (
    <>
      <Field label={<Trans>Como decidir</Trans>}>
        <Select
          value={data.mode}
          onChange={(mode) =>
            set({
              mode,
              ...(mode === 'rules' && data.rules.length === 0 && { rules: [newRule()] }),
              ...(mode === 'cases' &&
                data.cases.length === 0 && { cases: [{ label: '', match: 'all', rules: [newRule()] }] }),
            })
          }
          options={[
            { value: 'single', label: t`Uma comparação` },
            { value: 'rules', label: t`Várias regras` },
            { value: 'cases', label: t`Vários caminhos` },
          ]}
        />
      </Field>
      {data.mode === 'single' && (
        <>
          <VariableField label={<Trans>Variável</Trans>} value={data.key} onChange={(key) => set({ key })} />
          <div className="grid grid-cols-[6rem_1fr] gap-2">
            <Field label={<Trans>Compara</Trans>}>
              <Select
                value={String(data.condition)}
                onChange={(code) => set({ condition: Number(code) })}
                options={[...codes, contains]}
              />
            </Field>
            <LineField label={<Trans>Valor</Trans>} value={data.value} onChange={(value) => set({ value })} />
          </div>
        </>
      )}
      {data.mode === 'rules' && (
        <RuleFields match={data.match} rules={data.rules} onChange={(match, rules) => set({ match, rules })} />
      )}
      {data.mode === 'cases' && (
        <ListField
          items={data.cases}
          removeLabel={(index) => t`Remover o caminho ${index + 1}`}
          onRemove={(index) => set({ cases: data.cases.filter((_, at) => at !== index) })}
          onAdd={() => set({ cases: [...data.cases, { label: '', match: 'all', rules: [newRule()] }] })}
          addLabel={<Trans>Adicionar caminho</Trans>}
          render={(one, index) => {
            const put = (next: typeof one) => set({ cases: data.cases.map((old, at) => (at === index ? next : old)) })
            return (
              <div className="flex flex-col gap-3 rounded-lg border p-3">
                <LineField
                  label={<Trans>Nome do caminho</Trans>}
                  value={one.label}
                  onChange={(label) => put({ ...one, label })}
                />
                <RuleFields
                  match={one.match}
                  rules={one.rules}
                  onChange={(match, rules) => put({ ...one, match, rules })}
                />
              </div>
            )
          }}
        />
      )}
    </>
  )
}

/** A variable of the flow, or any other by its name. */
function VariableField({
  label,
  value,
  onChange,
}: {
  label: ReactNode
  value: string
  onChange: (value: string) => void
}) {
  return (
    <Field label={label}>
      <Input
        value={value}
        list="flow-variables"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}

function RuleFields({
  match,
  rules,
  onChange,
}: {
  match: 'all' | 'any'
  rules: readonly FlowRule[]
  onChange: (match: 'all' | 'any', rules: FlowRule[]) => void
}) {
  const { t } = useLingui()
  const put = (index: number, rule: FlowRule) =>
    onChange(
      match,
      rules.map((old, at) => (at === index ? rule : old)),
    )
  return (
    <>
      {rules.length > 1 && (
        <Select
          aria-label={t`Quantas regras precisam valer`}
          value={match}
          onChange={(next) => onChange(next, [...rules])}
          options={[
            { value: 'all', label: t`Todas as regras valem` },
            { value: 'any', label: t`Ao menos uma regra vale` },
          ]}
        />
      )}
      <ListField
        items={rules}
        removeLabel={(index) => t`Remover a regra ${index + 1}`}
        onRemove={(index) =>
          onChange(
            match,
            rules.filter((_, at) => at !== index),
          )
        }
        onAdd={() => onChange(match, [...rules, newRule()])}
        addLabel={<Trans>Adicionar regra</Trans>}
        render={(rule, index) => (
          <div className="flex flex-col gap-1.5">
            <div className="grid grid-cols-2 gap-1.5">
              <Select
                aria-label={t`De onde`}
                value={rule.of}
                onChange={(of) => put(index, { ...rule, of, key: '' })}
                options={[
                  { value: 'variable', label: t`Variável` },
                  { value: 'contact', label: t`Contato` },
                  { value: 'ticket', label: t`Atendimento` },
                  { value: 'text', label: t`Última mensagem` },
                ]}
              />
              {rule.of !== 'text' && <RuleKey rule={rule} onChange={(key) => put(index, { ...rule, key })} />}
            </div>
            <div className="grid grid-cols-2 gap-1.5">
              <Select
                aria-label={t`Compara`}
                value={rule.operator}
                onChange={(operator) => put(index, { ...rule, operator })}
                options={operators.map((operator) => ({ value: operator, label: t(operatorWords[operator]) }))}
              />
              {rule.operator !== 'filled' && rule.operator !== 'empty' && (
                <RuleValue rule={rule} onChange={(value) => put(index, { ...rule, value })} />
              )}
            </div>
          </div>
        )}
      />
    </>
  )
}

function RuleKey({ rule, onChange }: { rule: FlowRule; onChange: (key: string) => void }) {
  const { t } = useLingui()
  if (rule.of === 'ticket')
    return (
      <Select
        aria-label={t`O que comparar`}
        value={rule.key || undefined}
        placeholder={t`Escolher`}
        onChange={onChange}
        options={[
          { value: 'queue', label: t`Fila` },
          { value: 'tag', label: t`Etiqueta` },
        ]}
      />
    )
  return (
    <Input
      aria-label={t`O que comparar`}
      list={rule.of === 'variable' ? 'flow-variables' : 'flow-contact-fields'}
      value={rule.key}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

function RuleValue({ rule, onChange }: { rule: FlowRule; onChange: (value: string) => void }) {
  const { t } = useLingui()
  const { list: queues } = useQueues()
  const { list: tags } = useTags()
  if (rule.of === 'ticket' && rule.key)
    return (
      <Combobox
        aria-label={t`Valor`}
        value={rule.value || null}
        onChange={(id) => onChange(id ?? '')}
        options={(rule.key === 'queue' ? queues : tags).map(({ id, name }) => ({ id: String(id), label: name }))}
      />
    )
  return <Input aria-label={t`Valor`} value={rule.value} onChange={(event) => onChange(event.target.value)} />
}
