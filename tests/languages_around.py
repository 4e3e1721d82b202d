"""A sentence of each language, as the rest of a hand-in has it."""

# What tells the language of a page, as the rest of a hand-in does.
AROUND = {
    "en": "This is what we have found for the model, and it is the answer.",
    "de": "Das ist die Antwort, und sie gilt auch für das ganze Modell.",
    "fr": "Les calculs sont dans le rapport, et chaque étape est pour nous dans cette page.",
    "es": "El modelo es grande y los cálculos son para cada etapa del entrenamiento.",
    "pt": "O modelo é grande, não há dúvida, e os cálculos são para cada etapa do treino.",
    "it": "Il modello è grande e gli stadi sono nel disegno, quindi ogni calcolo è della squadra.",
    "nl": "Het model is groot en de berekening is voor elke stap van het trainen, dus niet klein.",
    "pl": "Model jest duży i obliczenia są dla każdego etapu, czyli nie jest to proste.",
    "cs": "Model je velký a výpočty jsou pro každý krok, takže to není jednoduché.",
    "sv": "Det är en stor modell och det här är svaret som vi har för varje steg.",
    "tr": "Bu model çok büyük ve her adım için hesap var, bu kadar.",
    "ru": "Это большая модель, и для каждого шага мы всё посчитали, но не для всех.",
    "uk": "Це велика модель, і для кожного кроку ми все порахували, але це не для всіх.",
    "zh": "这是我们的答案,模型很大。",
    "ja": "これは私たちの答えです。モデルは大きいです。",
    "ko": "이것은 우리의 답입니다. 모델은 큽니다.",
    "ar": "هذا هو الجواب في هذه الصفحة على كل سؤال من الأسئلة.",
    "no": "Det er en stor modell, og vi har svaret fra hver etappe når det blir kjørt.",
    "id": "Ini adalah jawaban dari kita untuk model yang besar, dan setiap langkah tidak mudah.",
    "ch": "Das ist die Antwort, und sie gilt auch für das ganze Modell.",
}
