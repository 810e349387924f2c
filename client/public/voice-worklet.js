// Hands the microphone's samples to the page in blocks of about 85 ms. Plain JavaScript in a file of its own, because an
// audio worklet is loaded by address and the content security policy allows no other script.
class VoiceCapture extends AudioWorkletProcessor {
  constructor() {
    super()
    this.block = new Float32Array(4096)
    this.filled = 0
    this.port.onmessage = () => {
      this.port.postMessage(this.block.slice(0, this.filled))
      this.port.postMessage('end')
      this.filled = 0
    }
  }

  process(inputs) {
    const channel = inputs[0] && inputs[0][0]
    if (!channel) return true
    for (const sample of channel) {
      this.block[this.filled++] = sample
      if (this.filled === this.block.length) {
        this.port.postMessage(this.block.slice())
        this.filled = 0
      }
    }
    return true
  }
}
registerProcessor('voice-capture', VoiceCapture)
