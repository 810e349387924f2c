import { useLingui } from '@lingui/react/macro'
import { Volume1, Volume2, VolumeX } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '../ui/popover.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { useVolume } from '../base/volume.ts'
import { VolumeSlider } from '../account/volume-slider.tsx'

export default function VolumeControl() {
  const { t } = useLingui()
  const volume = useVolume()
  const Icon = volume === 0 ? VolumeX : volume < 0.6 ? Volume1 : Volume2
  return (
    <Popover>
      <Tooltip content={t`Volume dos avisos`}>
        <PopoverTrigger asChild>
          <Button variant="ghost" size="icon" aria-label={t`Volume dos avisos`} className="text-muted-foreground">
            <Icon />
          </Button>
        </PopoverTrigger>
      </Tooltip>
      <PopoverContent align="end" className="flex w-56 items-center gap-3">
        <VolumeSlider />
      </PopoverContent>
    </Popover>
  )
}
