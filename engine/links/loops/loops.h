// What keeps closed chains closed, and on the side on which they are drawn: closed positions, rows that say something
// new, whether a displacement keeps the side, and prescribed joints that are led.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "links/state.h"
#include "model/model.h"

namespace tendril::links {

class Loops {
 public:
  explicit Loops(State& state) : state_(state) {}

  /// After the structure has been built anew.
  void attach();
  /// Of all closing rows of a structure, those that say something new.
  std::vector<ClosureRow> keptRows(const Structure& structure) const;
  /// Before a run.
  void begin() { reach = {}, doubtReported_ = false; }

  /// Closes loops where the linkage starts, and leaves out rows that say nothing new. Throws model::BuildError.
  void close(std::vector<model::Remark>& remarks);
  /// Newton on the gaps by the smallest motion of what is not held. False: they stay open.
  bool assemble(VectorX& q, const std::vector<char>& held) const;
  bool assemble(VectorX& q) const { return assemble(q, state_.system->held); }
  /// The smallest change of the free rates of the accepted state that keeps loops closed.
  void projectVelocity();

  bool empty() const { return state_.system->closures().empty(); }
  /// Prescribed joints alone say how the loops stand.
  bool arePrescribed() const;

  /// How far displacements from a position surely keep the side, and how far the motion has gone since [rad, or of the
  /// size].
  struct SideReach {
    double reach = 0, gone = 0;
  };
  SideReach reach;  ///< of the accepted state
  /// Whether a step of motion may go to q, at t [s]; `next`: the reach there. Loops with strains are not looked at.
  bool keepsSide(const VectorX& q, double t, SideReach& next, model::StepReport& report);
  /// Why q may lie on another side of the loops than `from`, where their displacement begins, or empty. `doubt` gets
  /// words where that is unsure.
  std::string leavesSide(const VectorX& from, const VectorX& q, std::string& doubt) const;
  /// Of the joints whose motion opens or closes a loop, one that turned too far between two states, or empty.
  std::string turnedFar(const VectorX& from, const VectorX& to) const;
  /// Whether it is the first time in a run that loops came where they can go on in two ways: that is reported once.
  bool isFirstDoubt() { return !std::exchange(doubtReported_, true); }

  /// Prescribed joints are led from where q has them to where state.prescribed says, in parts so short that the other
  /// joints stay on their side. False: the chain does not close in between by what is not held. `doubt` gets words
  /// where the side is unsure.
  bool lead(VectorX& q, const std::vector<char>& held, std::string& doubt) const {
    return lead(q, held, allRows(), doubt);
  }
  /// The same by joints alone: which way strains give is for the forces to say.
  bool leadJoints(VectorX& q, std::string& doubt) const;
  /// That a prescribed joint, on its way along `motion`, comes at q to where its chain can be led no farther.
  std::string jamInWords(const VectorX& q, const VectorX& motion) const;
  /// Of a step of motion that failed: that prescribed joints cannot be led through a step of the scene's length from
  /// the accepted state, where they alone say how the loops stand; or empty.
  std::string jamOfStep(const model::StepRequest& request);

  /// The loop that is farthest open at q, for a step that failed; or empty.
  std::string openLoop(const VectorX& q) const;
  /// Rows that are left out say nothing new; where that is so because joints are prescribed, only as long as these
  /// agree with the loops. The one that is open at q, or empty.
  std::string openRedundant(const VectorX& q) const;

 private:
  /// Between both frames of a loop.
  struct Part {
    std::vector<int> steps;
    int coordinates = 0;
  };
  /// A link between two ball joints.
  struct Spin {
    int ball = 0, end = 0;  ///< steps: of the first joint, and to the place of the second
    bool child = false;     ///< the second is one of the chain, not a loop's
  };
  /// How firmly coordinates close the loops at a position.
  struct Grip {
    double firm = 0, bend = 0;  ///< smallest singular value of the rows' gradient, and how fast that changes at most
    int row = 0;                ///< that is the nearest to say nothing new
    Eigen::MatrixXd gradient;   ///< in units of the chain's size
    bool holds(double distance) const;
  };
  enum class Side { kept, unsure, changed };
  /// Of a displacement that is looked through [rad, or of the size].
  static constexpr double shortestPart = 1e-5;

  void findSpins();
  VectorX unspun(const VectorX& from, VectorX q) const;
  std::vector<int> screws() const;
  void turnScrews(VectorX& q) const;
  bool assembleFromZero(VectorX& q, std::string& doubt) const;
  void judgeScheme(std::vector<model::Remark>& remarks) const;
  void remarkRedundant(std::vector<model::Remark>& remarks) const;
  const scene::LinkLoop& loopOf(int row) const;
  std::vector<int> independentRows(const VectorX& q) const;
  std::vector<int> lastingRows(const VectorX& q, const std::vector<char>& staying, bool& singular) const;

  static bool staysBetween(const Grip& a, const Grip& b, double distance);
  double distanceBetween(const VectorX& a, const VectorX& b) const;
  Grip gripAt(const VectorX& q, const std::vector<char>& held, const std::vector<int>& rows) const;
  std::vector<int> allRows() const;
  Side sideBetween(const VectorX& a, const VectorX& to, VectorX& at) const;
  Side sideBetween(const VectorX& a, const Grip& atA, const VectorX& b, const Grip& atB, const std::vector<int>& rows,
                   int& left, VectorX& at) const;
  Side sideOfStep(const VectorX& to, SideReach& next, VectorX& at) const;
  std::string changeInWords() const;
  std::string doubtInWords(const VectorX& q, const VectorX& motion, const std::vector<int>& rows) const;
  bool lead(VectorX& q, const std::vector<char>& held, const std::vector<int>& rows, std::string& doubt) const;
  bool leapOver(VectorX& q, const VectorX& from, const VectorX& motion, double& done,
                const std::vector<char>& held) const;

  State& state_;
  std::vector<int> rows_;    // closing rows that are kept
  std::vector<Part> parts_;  // of each loop
  std::vector<Spin> spins_;
  std::vector<char> inLoops_;  // coordinates that open or close one
  bool bend_ = false;          // strains are among them
  bool doubtReported_ = false;
};

}  // namespace tendril::links
