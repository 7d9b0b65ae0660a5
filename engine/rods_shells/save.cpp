// Everything a discrete model's future depends on, as bytes.
#include "rods_shells/model.h"
#include "model/bytes.h"

namespace tendril::rods_shells {
namespace {

// One list for both directions: what is visited when saving is visited when restoring.
template <class Archive, class Model>
void visitVector(Archive& archive, Model& v) {
  archive.array(v.data(), static_cast<std::size_t>(v.size()));
}

template <class Archive, class Frames>
void visitFrames(Archive& archive, Frames& f) {
  archive.array(f.edges.data(), f.edges.size());
  archive.array(f.spin.data(), f.spin.size());
  archive.array(f.referenceTwist.data(), f.referenceTwist.size());
  archive.array(f.held.data(), f.held.size());
  archive.array(f.welds.data(), f.welds.size());
  archive.array(f.hingeAngle.data(), f.hingeAngle.size());
  archive.array(f.planes.normals.data(), f.planes.normals.size());
  archive.array(f.planes.angles.data(), f.planes.angles.size());
}

template <class Archive, class Support>
void visitSupports(Archive& archive, Support& s) {
  archive.array(s.traveled.data(), s.traveled.size());
  archive.array(s.anchored.data(), s.anchored.size());
  for (auto& list : s.turned) archive.array(list.data(), list.size());
  for (auto& list : s.anchors) archive.array(list.data(), list.size());
  for (auto& list : s.inside) archive.array(list.data(), list.size());
  for (auto& list : s.angles) archive.array(list.data(), list.size());
  archive.array(s.frames.data(), s.frames.size());
  archive.array(s.normals.data(), s.normals.size());
}

template <class Archive, class S>
void visitStrains(Archive& archive, S& s) {
  forEachList([&](auto& list) { archive.array(list.data(), list.size()); }, s);
}

static_assert(std::is_trivially_copyable_v<Vec3> || sizeof(Vec3) == 24);

// Eigen's fixed vectors are not trivially copyable by their type traits, though plain doubles by layout.
struct Plain {
  template <class T>
  static std::size_t doubles(std::size_t n) {
    static_assert(sizeof(T) % sizeof(double) == 0);
    return n * (sizeof(T) / sizeof(double));
  }
};

class Saver {
 public:
  explicit Saver(std::vector<std::byte>& out) : writer_(out) {}
  template <class T>
  void array(T* data, std::size_t n) {
    if constexpr (std::is_same_v<std::remove_const_t<T>, char>) {
      writer_.array(data, n);
    } else {
      writer_.array(reinterpret_cast<const double*>(data), Plain::doubles<T>(n));
    }
  }
  template <class T>
  void value(const T& v) {
    writer_.value(v);
  }

 private:
  model::ByteWriter writer_;
};

class Loader {
 public:
  explicit Loader(std::span<const std::byte>& in) : reader_(in) {}
  template <class T>
  void array(T* data, std::size_t n) {
    if constexpr (std::is_same_v<T, char>) {
      reader_.array(data, n);
    } else {
      reader_.array(reinterpret_cast<double*>(data), Plain::doubles<T>(n));
    }
  }
  template <class T>
  void value(T& v) {
    reader_.value(v);
  }

 private:
  model::ByteReader reader_;
};

}  // namespace

template <class Archive, class State>
void visitLedger(Archive& archive, State& s) {
  for (auto& part : s.parts) {
    for (auto* value : {&part.sum.work, &part.sum.dissipated, &part.sum.numerical, &part.sum.peak, &part.sum.given, &part.sum.pressed, &part.sum.lost, &part.sum.lostOf, &part.watch.surplus,
                        &part.watch.largest, &part.first, &part.stored.bodies, &part.stored.contact, &part.lifted, &part.rate.work,
                        &part.rate.dissipated, &part.mass}) {
      archive.value(*value);
    }
    visitVector(archive, part.force);
    visitVector(archive, part.frame.velocity);
    for (auto& direction : part.frame.known) visitVector(archive, direction);
    archive.value(part.frame.count), archive.value(part.frame.begun);
    for (auto& push : part.pushes) visitVector(archive, push);
    archive.value(part.known);
  }
  visitVector(archive, s.support);
  for (auto* value : {&s.peak, &s.given}) archive.value(*value);
  for (auto* value : {&s.open, &s.saidGain}) archive.value(*value);
}

void Model::save(std::vector<std::byte>& out) const {
  Saver archive(out);
  const FrameState frames = system_->elasticity().frames();
  const SupportState supports = system_->supports().state();
  const bool before = history_.dtBefore > 0;
  const VectorX zero = VectorX::Zero(system_->size());
  visitVector(archive, history_.q);
  visitVector(archive, history_.v);
  visitVector(archive, before ? history_.qBefore : zero);
  visitVector(archive, before ? history_.vBefore : zero);
  visitVector(archive, acceleration_);
  archive.value(history_.dtBefore);
  archive.value(haveAcceleration_);
  archive.value(strainRate_);
  visitFrames(archive, frames);
  visitSupports(archive, supports);
  visitStrains(archive, strainsBefore_);
  // Strains of the accepted state depend on the natural lengths of its time: saved, not computed again.
  archive.value(observedFresh_);
  visitStrains(archive, observedFresh_ ? observed_.strains : strainsBefore_);
  model::ByteWriter writer(out);
  archive.value(instant_.t), archive.value(instant_.middle), archive.value(instant_.slack), archive.value(instant_.factor);
  archive.array(columns_.data(), columns_.size());
  archive.value(maxPenetration_);
  const std::vector<std::array<int, 2>>& joined = system_->joined();
  archive.value(static_cast<std::uint64_t>(joined.size()));
  for (const std::array<int, 2>& joint : joined) archive.value(joint);
  archive.value(static_cast<std::uint64_t>(ledger_.state().parts.size()));
  visitLedger(archive, ledger_.state());
  const PairContacts::State& pairs = system_->pairs().state();
  archive.value(static_cast<std::uint64_t>(pairs.size()));
  for (const PairContacts::Pattern& pattern : pairs) {
    archive.value(pattern.age);
    archive.value(static_cast<std::uint64_t>(pattern.pairs.size()));
    for (const contact::ContactPair& pair : pattern.pairs) archive.value(pair);
  }
}

void Model::restore(std::span<const std::byte>& in) {
  Loader archive(in);
  solve::History history;
  history.q = history.v = history.qBefore = history.vBefore = VectorX::Zero(system_->size());
  VectorX acceleration = history.q;
  FrameState frames = system_->elasticity().frames();
  SupportState supports = system_->supports().state();
  Strains strains = strainsBefore_;
  bool haveAcceleration = false;
  double strainRate = 0;
  visitVector(archive, history.q);
  visitVector(archive, history.v);
  visitVector(archive, history.qBefore);
  visitVector(archive, history.vBefore);
  visitVector(archive, acceleration);
  archive.value(history.dtBefore);
  archive.value(haveAcceleration);
  archive.value(strainRate);
  visitFrames(archive, frames);
  visitSupports(archive, supports);
  visitStrains(archive, strains);
  bool fresh = false;
  Strains now = strainsBefore_;
  archive.value(fresh);
  visitStrains(archive, now);
  model::ByteReader reader(in);
  system_->contacts().findOverlapsAgain();
  archive.value(instant_.t), archive.value(instant_.middle), archive.value(instant_.slack), archive.value(instant_.factor);
  archive.array(columns_.data(), columns_.size());
  double maxPenetration = 0;
  archive.value(maxPenetration);
  // No list of what falls into parts is longer than what may fall.
  const auto countOf = [&archive, this](std::size_t most) {
    std::uint64_t count = 0;
    archive.value(count);
    if (count > most) throw std::runtime_error("the saved state does not belong to this scene");
    return static_cast<std::size_t>(count);
  };
  const auto size = static_cast<std::size_t>(system_->size());
  std::vector<std::array<int, 2>> joined;
  for (std::size_t i = countOf(size * size); i > 0; --i) archive.value(joined.emplace_back());
  EnergyLedger::State ledger = ledger_.state();
  ledger.parts.assign(countOf(size), EnergyLedger::Kept{});
  for (EnergyLedger::Kept& part : ledger.parts) part.pushes.resize(system_->contacts().obstacles().size());
  visitLedger(archive, ledger);
  PairContacts::State pairs(countOf(size));
  for (PairContacts::Pattern& pattern : pairs) {
    archive.value(pattern.age);
    std::uint64_t count = 0;
    archive.value(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      contact::ContactPair pair;
      archive.value(pair);
      pattern.pairs.push_back(pair);
    }
  }
  system_->restorePairs(std::move(pairs), std::move(joined), history.q);
  divideWork();
  ledger_.divide();
  if (ledger.parts.size() != ledger_.state().parts.size()) throw std::runtime_error("the saved state does not belong to this scene");
  maxPenetration_ = maxPenetration;
  ledger_.setState(ledger);
  history_ = history;
  acceleration_ = acceleration;
  haveAcceleration_ = haveAcceleration;
  strainRate_ = strainRate;
  strainsBefore_ = strains;
  for (PartWork& work : work_) work.newton = solve::Newton();
  system_->elasticity().setFrames(frames);
  system_->supports().setState(supports);
  observed_.strains = now;
  observedFresh_ = fresh;
  balanceFresh_ = false;
  standAtAccepted();
}

}  // namespace tendril::rods_shells
