import type { OtherWords } from '../languages.ts'

/** The texts of the templates in the other languages, for each Portuguese one. */
export const templateWords: Record<string, OtherWords> = {
  // What answers are called, between the braces.
  pedido: ['pedido', 'order'],
  dia: ['dia', 'day'],
  horario: ['hora', 'time'],
  sabor: ['sabor', 'flavour'],
  foto: ['foto', 'photo'],
  convidados: ['invitados', 'guests'],
  endereco: ['direccion', 'address'],
  crianca: ['menor', 'child'],
  especialidade: ['especialidad', 'specialty'],
  convenio: ['seguro', 'insurance'],
  cpf: ['cpf', 'cpf'],
  mail: ['correo', 'mail'],
  nascimento: ['nacimiento', 'birth'],
  documento: ['documento', 'document'],
  bairro: ['barrio', 'district'],
  teste: ['prueba', 'test'],
  pessoas: ['personas', 'people'],
  nomecompleto: ['nombrecompleto', 'fullname'],

  'Vou deixar a conversa por aqui. Quando quiser, é só escrever de novo.': [
    'Dejo la conversación por aquí. Cuando quieras, vuelve a escribir.',
    'I will leave the conversation here. Just write again whenever you like.',
  ],

  // The bakery's orders.
  '{{greeting}}, {{firstName}}! Aqui é da padaria. 🥖': [
    '{{greeting}}, {{firstName}}. Somos la panadería. 🥖',
    '{{greeting}}, {{firstName}}! This is the bakery. 🥖',
  ],
  'Olá, {{firstName}}! Agora estamos fechados, mas você já pode deixar a sua encomenda: confirmamos assim que abrirmos.':
    [
      'Hola, {{firstName}}. Ahora estamos cerrados, pero ya puedes dejar tu encargo: lo confirmamos en cuanto abramos.',
      'Hello, {{firstName}}! We are closed now, but you can leave your order already: we will confirm it as soon as we open.',
    ],
  'O que você deseja?': ['¿Qué deseas?', 'What would you like?'],
  'Fazer uma encomenda': ['Hacer un encargo', 'Place an order'],
  'Ver o cardápio': ['Ver la carta', 'See the menu'],
  'Horário e endereço': ['Horario y dirección', 'Hours and address'],
  'Falar com uma pessoa': ['Hablar con una persona', 'Talk to a person'],
  'Pão francês – R$ 18,00 o quilo\nPão de queijo – R$ 45,00 o quilo\nBolo de cenoura – R$ 38,00\nTorta de frango (10 fatias) – R$ 70,00\nSonho – R$ 7,00':
    [
      'Pan francés – R$ 18,00 el kilo\nPan de queso – R$ 45,00 el kilo\nBizcocho de zanahoria – R$ 38,00\nTarta de pollo (10 porciones) – R$ 70,00\nBerlina – R$ 7,00',
      'French rolls – R$ 18.00 a kilo\nCheese bread – R$ 45.00 a kilo\nCarrot cake – R$ 38.00\nChicken pie (10 slices) – R$ 70.00\nDoughnut – R$ 7.00',
    ],
  'Abrimos de segunda a sábado, das 6h às 20h, e domingo, das 7h às 13h.\nRua das Flores, 123 – Centro.': [
    'Abrimos de lunes a sábado, de 6 a 20 h, y el domingo, de 7 a 13 h.\nCalle de las Flores, 123 – Centro.',
    'We open Monday to Saturday from 6 am to 8 pm, and Sunday from 7 am to 1 pm.\n123 Flower Street – town centre.',
  ],
  'Posso ajudar em mais alguma coisa?': ['¿Te ayudo en algo más?', 'Can I help with anything else?'],
  'Voltar ao início': ['Volver al inicio', 'Back to the beginning'],
  'Não, obrigado': ['No, gracias', 'No, thank you'],
  'Que delícia! O que vai querer? Escreva os produtos e as quantidades.': [
    '¡Qué rico! ¿Qué vas a querer? Escribe los productos y las cantidades.',
    'Lovely! What would you like? Write the products and how many of each.',
  ],
  'Para que dia? (por exemplo 25/12, ou amanhã)': [
    '¿Para qué día? (por ejemplo 25/12, o mañana)',
    'For which day? (for example 25/12, or tomorrow)',
  ],
  'A que horas você vem buscar?': ['¿A qué hora vienes a buscarlo?', 'At what time will you collect it?'],
  'Escreva só a hora, por exemplo 14:30.': [
    'Escribe solo la hora, por ejemplo 14:30.',
    'Write only the time, for example 14:30.',
  ],
  'Confira, por favor:\n\n{{pedido}}\n\nDia {{dia}}, às {{horario}}.': [
    'Revisa, por favor:\n\n{{pedido}}\n\nDía {{dia}}, a las {{hora}}.',
    'Please check:\n\n{{order}}\n\nOn {{day}}, at {{time}}.',
  ],
  'Está certo': ['Está bien', 'That is right'],
  'Quero corrigir': ['Quiero corregir', 'I want to change it'],
  'Encomenda: {{pedido}}\nRetirada: {{dia}} às {{horario}}': [
    'Encargo: {{pedido}}\nRecogida: {{dia}} a las {{hora}}',
    'Order: {{order}}\nCollection: {{day}} at {{time}}',
  ],
  'Anotado! Vamos conferir e já confirmamos o valor com você. 🧡': [
    '¡Anotado! Lo revisamos y enseguida te confirmamos el precio. 🧡',
    'Noted! We will check it and confirm the price with you shortly. 🧡',
  ],
  'Certo! Já chamo alguém da equipe. Aguarde um instante.': [
    '¡De acuerdo! Ya llamo a alguien del equipo. Espera un momento.',
    'All right! I am calling somebody from the team. One moment, please.',
  ],
  'Obrigado, {{firstName}}! Até a próxima fornada. 🥐': [
    '¡Gracias, {{firstName}}! Hasta la próxima hornada. 🥐',
    'Thank you, {{firstName}}! See you at the next batch. 🥐',
  ],

  // Its parties.
  'Olá, {{firstName}}! Vamos montar o orçamento da sua festa? São só algumas perguntas. 🎂': [
    'Hola, {{firstName}}. ¿Preparamos el presupuesto de tu fiesta? Son solo unas preguntas. 🎂',
    'Hello, {{firstName}}! Shall we prepare the quote for your party? Just a few questions. 🎂',
  ],
  'O que você precisa?': ['¿Qué necesitas?', 'What do you need?'],
  Bolo: ['Pastel', 'Cake'],
  'Salgados e docinhos': ['Salados y dulces', 'Savouries and sweets'],
  'Kit completo': ['Kit completo', 'The whole set'],
  'Qual o sabor da massa e do recheio?': [
    '¿De qué sabor son la masa y el relleno?',
    'Which flavour of sponge and filling?',
  ],
  'Você tem uma foto de como quer o bolo?': [
    '¿Tienes una foto de cómo quieres el pastel?',
    'Do you have a photo of the cake you want?',
  ],
  'Sim, vou enviar': ['Sí, la envío', 'Yes, I will send it'],
  Não: ['No', 'No'],
  'Pode enviar a foto.': ['Puedes enviar la foto.', 'Please send the photo.'],
  'Para quantas pessoas?': ['¿Para cuántas personas?', 'For how many people?'],
  'Para festas com mais de 100 pessoas pedimos 10 dias de antecedência.': [
    'Para fiestas de más de 100 personas pedimos 10 días de antelación.',
    'For parties of more than 100 people we ask for 10 days’ notice.',
  ],
  'Em que dia é a festa?': ['¿Qué día es la fiesta?', 'On which day is the party?'],
  'Você busca na loja ou quer que a gente entregue?': [
    '¿Lo recoges en la tienda o te lo llevamos?',
    'Will you collect it at the shop, or shall we deliver it?',
  ],
  'Busco na loja': ['Lo recojo en la tienda', 'I will collect it'],
  Entrega: ['Entrega', 'Delivery'],
  'Qual o endereço da entrega, com bairro?': [
    '¿Cuál es la dirección de entrega, con el barrio?',
    'What is the address for the delivery, with the district?',
  ],
  'Orçamento de festa\nDia: {{dia}}\nPessoas: {{convidados}}\nSabor: {{sabor}}\nFoto: {{foto}}\nEntrega: {{endereco}}':
    [
      'Presupuesto de fiesta\nDía: {{dia}}\nPersonas: {{invitados}}\nSabor: {{sabor}}\nFoto: {{foto}}\nEntrega: {{direccion}}',
      'Quote for a party\nDay: {{day}}\nPeople: {{guests}}\nFlavour: {{flavour}}\nPhoto: {{photo}}\nDelivery: {{address}}',
    ],
  'Prontinho! Em breve enviamos o orçamento por aqui. Protocolo {{protocol}}.': [
    '¡Listo! Pronto te enviamos el presupuesto por aquí. Protocolo {{protocol}}.',
    'All done! We will send the quote here soon. Reference {{protocol}}.',
  ],

  // The clinic's appointments.
  '{{greeting}}, {{firstName}}! Você está falando com a clínica.': [
    '{{greeting}}, {{firstName}}. Estás hablando con la clínica.',
    '{{greeting}}, {{firstName}}! You have reached the clinic.',
  ],
  'Como podemos ajudar?': ['¿Cómo podemos ayudarte?', 'How can we help?'],
  'Marcar consulta': ['Pedir cita', 'Book an appointment'],
  'Remarcar ou cancelar': ['Cambiar o cancelar', 'Change or cancel'],
  'Convênios e valores': ['Seguros y precios', 'Insurance and prices'],
  'Falar com a recepção': ['Hablar con recepción', 'Talk to reception'],
  'Atendemos Unimed, Bradesco Saúde e SulAmérica. Consulta particular: R$ 280,00, com retorno em até 30 dias.': [
    'Atendemos Unimed, Bradesco Saúde y SulAmérica. Consulta privada: R$ 280,00, con revisión en hasta 30 días.',
    'We take Unimed, Bradesco Saúde and SulAmérica. A private consultation is R$ 280.00, with a follow-up within 30 days.',
  ],
  'Qual a especialidade?': ['¿Qué especialidad?', 'Which specialty?'],
  'Clínica médica': ['Medicina general', 'General medicine'],
  Pediatria: ['Pediatría', 'Paediatrics'],
  Ginecologia: ['Ginecología', 'Gynaecology'],
  Outra: ['Otra', 'Another'],
  'Qual o nome e a idade da criança?': [
    '¿Cuál es el nombre y la edad del niño o de la niña?',
    'What are the name and age of the child?',
  ],
  'Qual especialidade você procura?': ['¿Qué especialidad buscas?', 'Which specialty are you looking for?'],
  'A consulta é por convênio ou particular?': [
    '¿La consulta es con seguro o privada?',
    'Is it through insurance or private?',
  ],
  Convênio: ['Seguro', 'Insurance'],
  Particular: ['Privada', 'Private'],
  'Qual o convênio?': ['¿Qué seguro?', 'Which insurer?'],
  'Para o cadastro, qual o CPF do paciente?': [
    'Para el registro, ¿cuál es el CPF del paciente?',
    'For our records, what is the patient’s CPF?',
  ],
  'Este CPF não confere. Pode digitar de novo, só os números?': [
    'Este CPF no es válido. ¿Puedes escribirlo de nuevo, solo los números?',
    'This CPF is not right. Could you type it again, only the digits?',
  ],
  'E um e-mail para enviarmos a confirmação?': [
    '¿Y un correo para enviarte la confirmación?',
    'And an email address for the confirmation?',
  ],
  'Qual o melhor dia? (por exemplo 25/12)': [
    '¿Qué día te viene mejor? (por ejemplo 25/12)',
    'Which day suits you best? (for example 25/12)',
  ],
  'E o melhor período?': ['¿Y en qué momento del día?', 'And which time of day?'],
  Manhã: ['Mañana', 'Morning'],
  Tarde: ['Tarde', 'Afternoon'],
  'Consulta: manhã de {{dia}}. CPF {{cpf}}. {{convenio}} {{especialidade}} {{crianca}}': [
    'Cita: mañana del {{dia}}. CPF {{cpf}}. {{seguro}} {{especialidad}} {{menor}}',
    'Appointment: morning of {{day}}. CPF {{cpf}}. {{insurance}} {{specialty}} {{child}}',
  ],
  'Consulta: tarde de {{dia}}. CPF {{cpf}}. {{convenio}} {{especialidade}} {{crianca}}': [
    'Cita: tarde del {{dia}}. CPF {{cpf}}. {{seguro}} {{especialidad}} {{menor}}',
    'Appointment: afternoon of {{day}}. CPF {{cpf}}. {{insurance}} {{specialty}} {{child}}',
  ],
  'Qual o CPF do paciente?': ['¿Cuál es el CPF del paciente?', 'What is the patient’s CPF?'],
  'Quer remarcar ou cancelar. CPF {{cpf}}': [
    'Quiere cambiar o cancelar. CPF {{cpf}}',
    'Wants to change or cancel. CPF {{cpf}}',
  ],
  'Obrigado! A recepção vai confirmar o horário com você por aqui.': [
    '¡Gracias! Recepción te confirmará la hora por aquí.',
    'Thank you! Reception will confirm the time with you here.',
  ],
  'Só um momento: a recepção já vai atender você.': [
    'Un momento: recepción te atiende enseguida.',
    'One moment: reception will be with you shortly.',
  ],
  'A recepção está fechada agora. Respondemos assim que abrirmos.': [
    'Recepción está cerrada ahora. Respondemos en cuanto abramos.',
    'Reception is closed now. We will answer as soon as we open.',
  ],

  // Its exams.
  'Olá, {{firstName}}! Sobre qual assunto?': [
    'Hola, {{firstName}}. ¿Sobre qué tema?',
    'Hello, {{firstName}}! What is it about?',
  ],
  'Preparo para o exame': ['Preparación para la prueba', 'Preparing for a test'],
  Resultado: ['Resultado', 'Result'],
  'Enviar pedido médico': ['Enviar orden médica', 'Send a doctor’s request'],
  'Outro assunto': ['Otro tema', 'Something else'],
  'Qual o exame?': ['¿Qué prueba?', 'Which test?'],
  Sangue: ['Sangre', 'Blood'],
  'Ultrassom de abdome': ['Ecografía abdominal', 'Abdominal ultrasound'],
  Urina: ['Orina', 'Urine'],
  Voltar: ['Volver', 'Back'],
  'Jejum de 8 horas. Água pode. Não faça exercício forte na véspera e traga a lista dos seus remédios.': [
    'Ayuno de 8 horas. Puedes beber agua. No hagas ejercicio intenso el día anterior y trae la lista de tus medicamentos.',
    'Do not eat for 8 hours; water is fine. No hard exercise the day before, and bring the list of your medicines.',
  ],
  'Jejum de 6 horas. Uma hora antes, beba seis copos de água e não vá ao banheiro.': [
    'Ayuno de 6 horas. Una hora antes, bebe seis vasos de agua y no vayas al baño.',
    'Do not eat for 6 hours. An hour before, drink six glasses of water and do not go to the toilet.',
  ],
  'Colha a primeira urina da manhã no frasco da clínica e traga em até duas horas.': [
    'Recoge la primera orina de la mañana en el frasco de la clínica y tráela en un máximo de dos horas.',
    'Collect the first urine of the morning in the clinic’s bottle and bring it within two hours.',
  ],
  'Ficou alguma dúvida?': ['¿Tienes alguna duda?', 'Is anything unclear?'],
  'Ver outro exame': ['Ver otra prueba', 'See another test'],
  'E a data de nascimento? (dia/mês/ano)': [
    '¿Y la fecha de nacimiento? (día/mes/año)',
    'And the date of birth? (day/month/year)',
  ],
  'Pede resultado. CPF {{cpf}}, nascimento {{nascimento}}': [
    'Pide un resultado. CPF {{cpf}}, nacimiento {{nacimiento}}',
    'Asks for a result. CPF {{cpf}}, born {{birth}}',
  ],
  'Estamos procurando o seu resultado e enviamos por aqui. Por segurança, só para o paciente.': [
    'Estamos buscando tu resultado y lo enviamos por aquí. Por seguridad, solo al paciente.',
    'We are looking for your result and will send it here. For security, only to the patient.',
  ],
  'Envie uma foto do pedido médico, com o nome e a data legíveis.': [
    'Envía una foto de la orden médica, con el nombre y la fecha legibles.',
    'Send a photo of the doctor’s request, with a readable name and date.',
  ],
  'Pedido médico recebido: {{pedido}}': ['Orden médica recibida: {{pedido}}', 'Doctor’s request received: {{order}}'],
  'Recebemos! Vamos ver o preparo, o valor e os horários e respondemos em seguida.': [
    '¡Recibido! Vemos la preparación, el precio y los horarios y respondemos enseguida.',
    'Received! We will look up the preparation, the price and the times and answer shortly.',
  ],
  'Certo, já chamo alguém da equipe.': [
    'De acuerdo, ya llamo a alguien del equipo.',
    'All right, I am calling somebody from the team.',
  ],
  'De nada! Cuide-se bem.': ['¡De nada! Cuídate.', 'You are welcome! Take care.'],

  // The provider's support.
  '{{greeting}}, {{firstName}}! Aqui é o suporte. Vamos resolver isso.': [
    '{{greeting}}, {{firstName}}. Somos el soporte. Vamos a resolverlo.',
    '{{greeting}}, {{firstName}}! This is support. Let us sort this out.',
  ],
  'O que está acontecendo?': ['¿Qué está pasando?', 'What is happening?'],
  'Estou sem internet': ['Estoy sin internet', 'I have no internet'],
  'A internet está lenta': ['La internet va lenta', 'The internet is slow'],
  'Segunda via do boleto': ['Copia de la factura', 'A copy of the bill'],
  'Olhe o aparelho da fibra (ONU). Há uma luz vermelha acesa?': [
    'Mira el aparato de la fibra (ONU). ¿Hay una luz roja encendida?',
    'Look at the fibre box (ONU). Is there a red light?',
  ],
  'Sim, vermelha': ['Sí, roja', 'Yes, red'],
  'Está tudo apagado': ['Está todo apagado', 'Everything is off'],
  'Veja se o aparelho está ligado na tomada e teste a tomada com outro aparelho.': [
    'Mira si el aparato está enchufado y prueba el enchufe con otro aparato.',
    'See whether the box is plugged in, and try the socket with another device.',
  ],
  'Desligue o aparelho da tomada, espere 30 segundos e ligue de novo. Eu espero aqui. ⏳': [
    'Desenchufa el aparato, espera 30 segundos y enchúfalo de nuevo. Yo espero aquí. ⏳',
    'Unplug the box, wait 30 seconds and plug it in again. I will wait here. ⏳',
  ],
  'A internet voltou?': ['¿Volvió la internet?', 'Is the internet back?'],
  'Sim, voltou': ['Sí, volvió', 'Yes, it is back'],
  'Ainda não': ['Todavía no', 'Not yet'],
  'Faça um teste em speedtest.net, perto do roteador, com um só aparelho ligado, e envie a foto do resultado.': [
    'Haz una prueba en speedtest.net, cerca del router y con un solo aparato conectado, y envía la foto del resultado.',
    'Run a test at speedtest.net, near the router, with only one device connected, and send a photo of the result.',
  ],
  'Pode enviar a foto do teste.': ['Puedes enviar la foto de la prueba.', 'Please send the photo of the test.'],
  'O teste foi pelo Wi-Fi ou pelo cabo?': [
    '¿La prueba fue por Wi-Fi o por cable?',
    'Was the test over Wi-Fi or the cable?',
  ],
  'Wi-Fi': ['Wi-Fi', 'Wi-Fi'],
  Cabo: ['Cable', 'Cable'],
  'A luz vermelha mostra que a fibra pode estar rompida. Vamos abrir um chamado para um técnico.': [
    'La luz roja indica que la fibra puede estar rota. Vamos a abrir un aviso para un técnico.',
    'The red light says that the fibre may be broken. We will call a technician.',
  ],
  'Qual o CPF ou CNPJ do titular?': [
    '¿Cuál es el CPF o CNPJ del titular?',
    'What is the account holder’s CPF or CNPJ?',
  ],
  'Em que bairro fica a instalação?': ['¿En qué barrio está la instalación?', 'In which district is the installation?'],
  'Chamado técnico. Titular {{documento}}, bairro {{bairro}}. Teste: {{teste}}': [
    'Aviso técnico. Titular {{documento}}, barrio {{barrio}}. Prueba: {{prueba}}',
    'Technician needed. Holder {{document}}, district {{district}}. Test: {{test}}',
  ],
  'Chamado aberto, protocolo {{protocol}}. Um técnico vai falar com você por aqui.': [
    'Aviso abierto, protocolo {{protocol}}. Un técnico hablará contigo por aquí.',
    'It is noted under reference {{protocol}}. A technician will talk to you here.',
  ],
  'Segunda via do boleto para {{documento}}': [
    'Copia de la factura para {{documento}}',
    'Copy of the bill for {{document}}',
  ],
  'Já enviamos o seu boleto por aqui. Um momento.': [
    'Ya te enviamos la factura por aquí. Un momento.',
    'We are sending your bill here. One moment.',
  ],
  'Certo! Um atendente já vai falar com você.': [
    '¡De acuerdo! Un agente hablará contigo enseguida.',
    'All right! An agent will be with you shortly.',
  ],
  'Que bom! Se precisar, é só chamar. 💙': [
    '¡Qué bien! Si necesitas algo, escríbenos. 💙',
    'Great! Just write if you need anything. 💙',
  ],

  // Its sales.
  'Olá, {{firstName}}! Que bom que você quer a nossa fibra. 🚀': [
    'Hola, {{firstName}}. Qué bien que quieres nuestra fibra. 🚀',
    'Hello, {{firstName}}! How nice that you want our fibre. 🚀',
  ],
  'Você já é nosso cliente?': ['¿Ya eres cliente?', 'Are you a customer already?'],
  'Sim, quero mudar de plano': ['Sí, quiero cambiar de plan', 'Yes, I want another plan'],
  'Qual plano combina com a sua casa?': ['¿Qué plan va mejor con tu casa?', 'Which plan suits your home?'],
  '300 mega – R$ 79,90': ['300 megas – R$ 79,90', '300 Mbit/s – R$ 79.90'],
  '600 mega – R$ 99,90': ['600 megas – R$ 99,90', '600 Mbit/s – R$ 99.90'],
  '1 giga – R$ 139,90': ['1 giga – R$ 139,90', '1 Gbit/s – R$ 139.90'],
  'Ajude a escolher': ['Ayúdame a elegir', 'Help me choose'],
  'Quantas pessoas usam a internet na casa?': [
    '¿Cuántas personas usan la internet en casa?',
    'How many people use the internet at home?',
  ],
  'Até 3': ['Hasta 3', 'Up to 3'],
  'Até 6': ['Hasta 6', 'Up to 6'],
  'Para até três pessoas, 300 mega dão conta de tudo.': [
    'Para hasta tres personas, 300 megas bastan para todo.',
    'For up to three people, 300 Mbit/s are enough for everything.',
  ],
  'Para vocês, 600 mega deixam folga para filmes e aulas.': [
    'Para ustedes, 600 megas dejan margen para películas y clases.',
    'For you, 600 Mbit/s leave room for films and lessons.',
  ],
  'Com tanta gente, 1 giga é a melhor escolha.': [
    'Con tanta gente, 1 giga es la mejor opción.',
    'With so many people, 1 Gbit/s is the best choice.',
  ],
  'Interesse: 300 mega': ['Interés: 300 megas', 'Interested in: 300 Mbit/s'],
  'Interesse: 600 mega': ['Interés: 600 megas', 'Interested in: 600 Mbit/s'],
  'Interesse: 1 giga': ['Interés: 1 giga', 'Interested in: 1 Gbit/s'],
  'Qual o seu nome completo?': ['¿Cuál es tu nombre completo?', 'What is your full name?'],
  'Qual o endereço da instalação, com número, bairro e CEP?': [
    '¿Cuál es la dirección de la instalación, con número, barrio y código postal?',
    'What is the address of the installation, with number, district and postcode?',
  ],
  'Qual o melhor dia para a instalação?': [
    '¿Qué día prefieres para la instalación?',
    'Which day suits you for the installation?',
  ],
  'Nova instalação para {{nomecompleto}}: {{endereco}}. Melhor dia: {{dia}}': [
    'Nueva instalación para {{nombrecompleto}}: {{direccion}}. Mejor día: {{dia}}',
    'New installation for {{fullname}}: {{address}}. Best day: {{day}}',
  ],
  'Cliente {{documento}} quer mudar de plano': [
    'El cliente {{documento}} quiere cambiar de plan',
    'Customer {{document}} wants another plan',
  ],
  'Tudo anotado! Vamos ver a viabilidade e um consultor confirma com você por aqui.': [
    '¡Todo anotado! Vemos la viabilidad y un asesor te lo confirma por aquí.',
    'All noted! We will see whether it can be done, and a consultant will confirm it with you here.',
  ],
  '{{mail}}': ['{{correo}}', '{{mail}}'],
  '{{nomecompleto}}': ['{{nombrecompleto}}', '{{fullname}}'],
}
