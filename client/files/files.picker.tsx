import { Trans, useLingui } from '@lingui/react/macro'
import { Files } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '../ui/popover.tsx'
import FileListChoice from './files.choice.tsx'

/** A button that offers the files of all lists, of which one is taken. */
export function FileOfListPicker({ onFile }: { onFile: (file: File) => void }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button variant="outline">
          <Files />
          <Trans>De uma lista</Trans>
        </Button>
      </PopoverTrigger>
      <PopoverContent align="start" aria-label={t`Arquivos das listas`} className="w-80 p-2">
        <FileListChoice
          single
          onChosen={([file]) => {
            setOpen(false)
            if (file) onFile(file)
          }}
        />
      </PopoverContent>
    </Popover>
  )
}
