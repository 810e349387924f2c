import { useLingui } from '@lingui/react/macro'
import { useTags } from '../replica/directory.ts'
import { ColorTag } from '../ui/badge.tsx'
import { MultiCombobox } from '../ui/combobox.tsx'

/** Any number of the company's tags of tickets, by id. */
export function SkillPicker({
  value,
  onChange,
  disabled,
}: {
  value: readonly number[]
  onChange: (ids: number[]) => void
  disabled?: boolean
}) {
  const { t } = useLingui()
  const { list } = useTags()
  return (
    <MultiCombobox
      values={value.map(String)}
      onChange={(ids) => onChange(ids.map(Number))}
      options={list.map((tag) => ({
        id: String(tag.id),
        label: tag.name,
        content: (
          <ColorTag color={tag.color} className="text-sm text-foreground">
            {tag.name}
          </ColorTag>
        ),
      }))}
      placeholder={t`Nenhuma habilidade`}
      searchPlaceholder={t`Buscar etiqueta…`}
      empty={t`Nenhuma etiqueta encontrada`}
      disabled={disabled}
    />
  )
}
